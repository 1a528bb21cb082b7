import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInbox } from './inbox.ts'
import { refuseDamaged, refuseEmptied } from './inbox-file.ts'

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-damage-'))
  path = join(dir, 'inbox.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** A simulated database, and the checks that it was asked to make. */
function played(answer: (check: string) => string | undefined) {
  const checks: string[] = []
  const prepare = (sql: string) => ({
    all() {
      checks.push(sql)
      const said = answer(sql)
      return said === undefined ? [] : [{ quick_check: said }]
    },
  })
  return { checks, db: { prepare } as unknown as DatabaseSync }
}

/** Makes a sparse file of a size. */
function sized(bytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}

const MIB = 1024 * 1024

test('a small inbox is checked as a whole', () => {
  sized(64 * MIB)
  const { db, checks } = played(() => 'ok')
  refuseDamaged(db, path)
  expect(checks).toEqual(['PRAGMA quick_check'])
})

test('in a large inbox, only the tables that a delivery uses are checked', () => {
  sized(64 * MIB + 1)
  const { db, checks } = played(() => 'ok')
  refuseDamaged(db, path)
  expect(checks).toEqual(['destinations', 'seen', 'forwards', 'facts'].map((table) => `PRAGMA quick_check('${table}')`))
})

test.each([
  ['finds something', 'row 3 missing from index'],
  ['says nothing', undefined],
])('an inbox whose check %s is refused as damaged', (_, said) => {
  sized(64 * MIB + 1)
  const { db, checks } = played((check) => (check.includes('seen') ? said : 'ok'))
  expect(() => refuseDamaged(db, path)).toThrow(
    expect.objectContaining({ kind: 'config', code: 'STATE_DAMAGED', message: expect.stringContaining(path) }),
  )
  expect(checks).toHaveLength(2)
})

test('SQLite accepts the checks on a real inbox, so the checked tables exist', async () => {
  await (await openInbox(dir)).close()
  using db = new DatabaseSync(path)
  for (const table of ['destinations', 'seen', 'forwards', 'facts'])
    expect(db.prepare(`PRAGMA quick_check('${table}')`).all()).toEqual([{ quick_check: 'ok' }])
})

test.each(['inbox.owner', 'inbox.lock', 'inbox.reserve'])(
  'an empty inbox beside %s is refused as damaged, because the content was removed',
  (name) => {
    writeFileSync(path, '')
    writeFileSync(join(dir, name), '')
    expect(() => refuseEmptied(dir)).toThrow(
      expect.objectContaining({ code: 'STATE_DAMAGED', message: expect.stringContaining(path) }),
    )
    // An inbox with content is checked by SQLite. A folder without an inbox is a first start.
    writeFileSync(path, 'x')
    refuseEmptied(dir)
    rmSync(path)
    refuseEmptied(dir)
  },
)

test('an empty inbox without receiver files is accepted as an interrupted first start', () => {
  writeFileSync(path, '')
  writeFileSync(join(dir, 'inbox.db-wal'), '')
  refuseEmptied(dir)
})
