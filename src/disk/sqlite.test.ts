import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, type SqliteFile } from './sqlite.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-sqlite-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const FILE: SqliteFile = {
  name: 'test.db',
  steps: ['create table one (n integer)', 'create table two (n integer); insert into one values (7)'],
  synchronous: 'NORMAL',
}
const open = (file = FILE) => openDatabase(dir, file, () => {})

test('many openings of a new file in one process at the same time make its tables once', async () => {
  const opened = await Promise.all(Array.from({ length: 12 }, () => open()))
  for (const { db } of opened) {
    expect(db.prepare('select n from one').all()).toEqual([{ n: 7 }])
    db.close()
  }
})

test('a file gets the steps that it has not had, and a step that fails leaves it as it was', async () => {
  ;(await open({ ...FILE, steps: FILE.steps.slice(0, 1) })).db.close()
  const steps = [...FILE.steps, 'create table three (n integer); nonsense']
  await expect(open({ ...FILE, steps })).rejects.toMatchObject({ code: 'STATE_UNUSABLE' })
  const { db } = await open()
  expect(db.prepare('select name from sqlite_schema order by name').all()).toEqual([{ name: 'one' }, { name: 'two' }])
  expect(db.prepare('pragma user_version').get()).toEqual({ user_version: 2 })
  db.close()
})

test('a statement waits for another process again after the tables are up to date', async () => {
  const { db } = await open()
  expect(db.prepare('pragma busy_timeout').get()).toEqual({ timeout: 10_000 })
  db.close()
})

test.each([
  ['of a newer bnpl', 'create table one (n integer); pragma user_version = 9', 'STATE_NEWER'],
  ['of another program', 'create table recipes (name text)', 'STATE_FOREIGN'],
])('a file %s is refused and stays as it is', async (_, sql, code) => {
  const path = join(dir, FILE.name)
  const other = new DatabaseSync(path)
  other.exec(sql)
  other.close()
  const before = readFileSync(path)
  await expect(open()).rejects.toMatchObject({ kind: 'config', code })
  expect(readFileSync(path).equals(before)).toBe(true)
})
