import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listFaults } from './faults.ts'
import { seed } from './partners.ts'
import { fileVersion, openStore } from './sqlite.ts'
import type { Db } from './store.ts'
import { type PartnerRow, SCHEMA_STEPS } from './tables.ts'

let dir = ''
let file = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-store-'))
  file = join(dir, 'state', 'sandbox.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('only the owner of the database file can read the file and its side files', async () => {
  const store = await openStore({ file })
  seed(store)
  expect(statSync(join(dir, 'state')).mode & 0o777).toBe(0o700)
  for (const beside of ['', '-wal', '-shm']) expect(statSync(file + beside).mode & 0o777).toBe(0o600)
  store.close()
})

test('a database file that other users can read is made private when the store is opened again', async () => {
  await (await openStore({ file })).close()
  chmodSync(file, 0o644)
  await (await openStore({ file })).close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file that is not a database, or of another program, or of a newer bnpl, is refused and not changed', async () => {
  mkdirSync(join(dir, 'state'))
  writeFileSync(file, 'not a database at all, but long enough to be read as one'.repeat(40))
  const before = readFileSync(file)
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config' })
  expect(readFileSync(file).equals(before)).toBe(true)

  rmSync(file)
  const foreign = new DatabaseSync(file)
  foreign.exec('create table recipes (name text)')
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config', code: 'SANDBOX_DATA_FOREIGN' })
  expect(foreign.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'recipes' }])
  foreign.close()

  rmSync(file)
  const store = await openStore({ file })
  store.db.run('pragma user_version = 999')
  store.close()
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config', code: 'SANDBOX_DATA_NEWER' })
})

test('a folder that cannot be made is reported, not thrown as an internal fault', async () => {
  writeFileSync(join(dir, 'state'), '')
  await expect(openStore({ file })).rejects.toMatchObject({ kind: 'config' })
})

test('a file of version 0.1, which has its version in a setting, is brought up to date and keeps its rows', async () => {
  const first = await openStore({ file })
  seed(first)
  const partners = first.db.all<PartnerRow>('select * from partners order by position')
  const version = fileVersion(first.db)
  first.close()
  for (const each of ['', '-wal', '-shm']) rmSync(file + each, { force: true })
  const older = new DatabaseSync(file)
  for (const step of SCHEMA_STEPS.slice(0, 7)) older.exec(step)
  const insert = (table: string, row: Record<string, unknown>) =>
    older
      .prepare(`insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((name) => `:${name}`)})`)
      .run(row as Record<string, string>)
  for (const { environment, ...row } of partners) if (environment === 'beta') insert('partners', row)
  insert('faults', { id: 'f1', endpoint: 'any', harm: '{"status":503}', createdAt: '', skip: 0, times: 1 })
  insert('deliveryAttempts', { id: 'a1', deliveryId: 'd1', at: '', answer: '', chaos: 'twice', number: 1, ms: 5 })
  insert('settings', { name: 'schemaVersion', value: '7' })
  older.close()

  const second = await openStore({ file })
  expect(fileVersion(second.db)).toBe(version)
  const brought = second.db.all<PartnerRow>('select * from partners order by position')
  expect(brought.slice(0, 4)).toEqual(partners.slice(0, 4))
  // Each account gets its keys for production.
  const [fresh, kept] = [brought, partners].map((rows) =>
    rows.slice(4).map(({ id: _id, apiKey: _apiKey, publicKey: _publicKey, ...row }) => row),
  )
  expect(fresh).toEqual(kept)
  expect(new Set(brought.flatMap(({ apiKey, publicKey }) => [apiKey, publicKey])).size).toBe(16)
  expect(second.db.all('select verifiedAt from loans')).toEqual([])
  expect(listFaults(second.db)).toMatchObject([{ id: 'f1', kind: null, status: 503 }])
  expect(second.db.all('select id, fault from deliveryAttempts')).toEqual([{ id: 'a1', fault: 'twice' }])
  expect(second.db.all('select name from settings where name = ?', 'schemaVersion')).toEqual([])
  second.close()
})

test('a later store of a process, which is made without the steps, has the tables of the first', async () => {
  const shape = ({ db }: { db: Db }) =>
    db.all(`select s.type, s.name, s.sql, c.name as column, c.type as kind, c."notnull", c.dflt_value, c.pk, user_version
      from pragma_user_version, sqlite_schema s left join pragma_table_info(s.name) c order by s.name, c.cid`)
  const stores = [
    await openStore({ file: ':memory:' }),
    await openStore({ file }),
    await openStore({ file: ':memory:' }),
  ]
  const bySteps = new DatabaseSync(':memory:')
  for (const step of SCHEMA_STEPS) bySteps.exec(step)
  bySteps.exec(`pragma user_version = ${SCHEMA_STEPS.length}`)
  const wanted = shape({ db: { all: (sql: string) => bySteps.prepare(sql).all() } as unknown as Db })
  expect(wanted.length).toBeGreaterThan(100)
  for (const store of stores) {
    expect(shape(store)).toEqual(wanted)
    store.close()
  }
})
