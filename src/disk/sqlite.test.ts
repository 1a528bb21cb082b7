import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from './sqlite.ts'

// The pauses between two attempts are left out.
vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => {}) }))

let dir: string
let path: string
let said: string[]
const open: DatabaseSync[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-sqlite-'))
  path = join(dir, 'state.db')
  said = []
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const db of open.splice(0)) if (db.isOpen) db.close()
  rmSync(dir, { recursive: true, force: true })
})

const FIRST = 'CREATE TABLE first (id INTEGER PRIMARY KEY)'
const SECOND = 'CREATE TABLE second (id INTEGER REFERENCES first (id))'

async function opened(steps: readonly string[], more: object = {}, folder = dir): Promise<DatabaseSync> {
  const plan = { name: 'state.db', steps, synchronous: 'FULL' as const, ...more }
  const { db } = await openDatabase(folder, plan, (text) => void said.push(text))
  open.push(db)
  return db
}

/** Creates a database that bnpl did not create. */
function made(sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
  chmodSync(path, 0o600)
}

const tables = (db: DatabaseSync) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)
const pragma = (db: DatabaseSync, name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
const mode = (of: string) => statSync(of).mode & 0o777
const refusal = (what: object) => expect.objectContaining({ name: 'BnplError', ...what })

test('a database is created on first use, only for its owner, with its tables [row 4]', async () => {
  const folder = join(dir, 'a', 'state')
  const plan = { name: 'state.db', steps: [FIRST, SECOND], synchronous: 'FULL' as const }
  const { db, path: made } = await openDatabase(folder, plan, (text) => void said.push(text))
  open.push(db)
  expect(made).toBe(join(folder, 'state.db'))
  expect(tables(db)).toEqual(['first', 'second'])
  expect([mode(folder), ...['', '-wal', '-shm'].map((beside) => mode(made + beside))]).toEqual([
    0o700, 0o600, 0o600, 0o600,
  ])
  expect(said).toEqual([])
  expect(pragma(db, 'user_version')).toBe(2)
  expect(pragma(db, 'journal_mode')).toBe('wal')
  expect(pragma(db, 'foreign_keys')).toBe(1)
  expect(pragma(db, 'busy_timeout')).toBe(10_000)
})

test.each([
  ['OFF', 0],
  ['NORMAL', 1],
  ['FULL', 2],
])('a database syncs as its plan says: %s', async (synchronous, expected) => {
  expect(pragma(await opened([FIRST], { synchronous }), 'synchronous')).toBe(expected)
})

test('a new file has the page size of the plan, or the default of SQLite', async () => {
  expect(pragma(await opened([FIRST]), 'page_size')).toBe(4_096)
  const other = await opened([FIRST], { pageSize: 16_384 }, join(dir, 'other'))
  expect(pragma(other, 'page_size')).toBe(16_384)
})

test('two simultaneous openings of a new database succeed and create the tables once', async () => {
  const [one, other] = await Promise.all([opened([FIRST]), opened([FIRST])])
  one.exec('INSERT INTO first VALUES (1)')
  expect(other.prepare('SELECT id FROM first').all()).toEqual([{ id: 1 }])
})

test('a file of an older version gets the missing tables and keeps its rows', async () => {
  const old = await opened([FIRST])
  old.exec('INSERT INTO first VALUES (7)')
  old.close()
  const db = await opened([FIRST, SECOND])
  expect(tables(db)).toEqual(['first', 'second'])
  expect(db.prepare('SELECT id FROM first').all()).toEqual([{ id: 7 }])
  expect(pragma(db, 'user_version')).toBe(2)
})

test('a file that is up to date is opened without waiting for a writer', async () => {
  const one = await opened([FIRST])
  one.exec('BEGIN IMMEDIATE')
  const other = await opened([FIRST])
  one.exec('ROLLBACK')
  expect(other.isTransaction).toBe(false)
})

test('an upgrade step that fails leaves the old version without partial changes, and closes the database', async () => {
  ;(await opened([FIRST])).close()
  const closing = vi.spyOn(DatabaseSync.prototype, 'close')
  const broken = opened([FIRST, SECOND, 'CREATE TABLE first (again)'])
  await expect(broken).rejects.toThrowError(
    refusal({ kind: 'config', code: 'STATE_UNUSABLE', message: `${path} cannot be used (SQLite error 1)` }),
  )
  expect(closing).toHaveBeenCalledTimes(1)
  const db = await opened([FIRST])
  expect([tables(db), pragma(db, 'user_version')]).toEqual([['first'], 1])
})

test('a failure that has ended the transaction is reported unchanged', async () => {
  // A failing disk would end the transaction. Here the `ROLLBACK` of a step ends it.
  await expect(
    opened([`${FIRST}; INSERT INTO first VALUES (1); INSERT OR ROLLBACK INTO first VALUES (1)`]),
  ).rejects.toThrowError(refusal({ code: 'STATE_UNUSABLE', message: `${path} cannot be used (SQLite error 19)` }))
})

/** Lets another process change the file just before the transaction of this process begins. */
function before(sql: string): void {
  const { exec } = DatabaseSync.prototype
  let done = false
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text: string) {
    if (text === 'BEGIN IMMEDIATE' && !done) {
      done = true
      const other = new DatabaseSync(path)
      exec.call(other, sql)
      other.close()
    }
    exec.call(this, text)
  })
}

test('if another process upgrades the tables first, its rows are kept and only missing steps run', async () => {
  before(`${FIRST}; INSERT INTO first VALUES (5); PRAGMA user_version = 1`)
  const db = await opened([FIRST, SECOND])
  expect(db.prepare('SELECT id FROM first').all()).toEqual([{ id: 5 }])
  expect(tables(db)).toEqual(['first', 'second'])
})

test.each([
  ['STATE_NEWER', 'PRAGMA user_version = 9'],
  ['STATE_FOREIGN', 'CREATE TABLE places (url)'],
])('a file that is changed just before the upgrade begins is refused (%s) [row 91]', async (code, sql) => {
  before(sql)
  await expect(opened([FIRST])).rejects.toThrowError(refusal({ code }))
})

test('a path that SQLite cannot open is a configuration error', async () => {
  // This path is too long for SQLite, but not for the system.
  const folder = join(dir, ...Array.from({ length: 6 }, () => 'f'.repeat(120)))
  await expect(opened([FIRST], {}, folder)).rejects.toThrowError(
    refusal({ kind: 'config', code: 'STATE_UNUSABLE', message: expect.stringContaining('SQLite error 14') }),
  )
})

test('a file of a newer version is named in the error and not changed [row 91]', async () => {
  made('CREATE TABLE first (id); PRAGMA user_version = 3')
  const before = readFileSync(path)
  await expect(opened([FIRST, SECOND])).rejects.toThrowError(
    refusal({
      kind: 'config',
      code: 'STATE_NEWER',
      message: `${path} was written by a newer bnpl (its tables have version 3; this bnpl knows versions up to 2) and was not changed`,
      hint: 'Update bnpl, or name another folder with BNPL_STATE_DIR.',
    }),
  )
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('the database of another program is named, and keeps its bytes and its mode [row 91, attack 28]', async () => {
  made('CREATE TABLE places (url)')
  chmodSync(path, 0o644)
  const before = readFileSync(path)
  await expect(opened([FIRST])).rejects.toThrowError(
    refusal({
      kind: 'config',
      code: 'STATE_FOREIGN',
      message: `${path} belongs to another program and was not changed`,
      hint: 'Name another folder with BNPL_STATE_DIR.',
    }),
  )
  expect(readFileSync(path).equals(before)).toBe(true)
  expect([mode(path), said]).toEqual([0o644, []])
})

test('a file that is not a database is reported as damaged, and keeps its mode [row 91]', async () => {
  writeFileSync(path, 'text '.repeat(1_000))
  chmodSync(path, 0o644)
  await expect(opened([FIRST])).rejects.toThrowError(refusal({ kind: 'config', code: 'STATE_DAMAGED' }))
  expect(mode(path)).toBe(0o644)
})

test('an old file that is open to others is made private, with the files beside the database [row 4]', async () => {
  const first = await opened([FIRST])
  for (const beside of ['', '-wal', '-shm']) chmodSync(path + beside, 0o644)
  await opened([FIRST])
  first.exec('INSERT INTO first VALUES (1)')
  expect(['', '-wal', '-shm'].map((beside) => mode(path + beside))).toEqual([0o600, 0o600, 0o600])
  expect(said).toEqual(
    ['', '-wal', '-shm'].map((beside) => `${path}${beside} was open to other users (mode 0644); its mode is 0600 now`),
  )
})

test.each(['', '-wal', '-shm', '-journal'])(
  'a link at the path of state.db%s is refused before the link is opened or followed [row 5]',
  async (beside) => {
    const victim = join(dir, 'victim')
    symlinkSync(victim, path + beside)
    await expect(opened([FIRST])).rejects.toThrowError(refusal({ code: 'SYMLINK' }))
    expect(existsSync(victim)).toBe(false)
    if (beside !== '') expect(statSync(path).size).toBe(0)
  },
)

test('a folder at the path of the database is refused', async () => {
  mkdirSync(path)
  await expect(opened([FIRST])).rejects.toThrowError(refusal({ code: 'NOT_A_FILE' }))
})

/** Makes SQLite report `times` times that another process is switching on write-ahead logging. @returns the number of attempts */
function busyAtWal(times: number): { asked: number } {
  const { exec } = DatabaseSync.prototype
  const count = { asked: 0 }
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    if (sql === 'PRAGMA journal_mode = WAL' && count.asked++ < times) {
      throw Object.assign(new Error('database is locked'), { errcode: 5 })
    }
    exec.call(this, sql)
  })
  return count
}

test('write-ahead logging is tried again while the database is busy, and not if it is already on', async () => {
  const count = busyAtWal(2)
  const db = await opened([FIRST])
  expect(count.asked).toBe(3)
  expect(pragma(db, 'journal_mode')).toBe('wal')
  await opened([FIRST])
  expect(count.asked).toBe(3)
})

test('a database that stays busy while write-ahead logging is turned on is reported after 5 s', async () => {
  vi.mocked(sleep).mockClear()
  const count = busyAtWal(1_000)
  await expect(opened([FIRST])).rejects.toThrowError(refusal({ kind: 'config', code: 'STATE_BUSY' }))
  expect(count.asked).toBe(201)
  expect(vi.mocked(sleep).mock.calls.map(([pause]) => pause)).toEqual(Array.from({ length: 200 }, () => 25))
})

test('any other failure to turn on write-ahead logging is reported at once', async () => {
  const { exec } = DatabaseSync.prototype
  let asked = 0
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    if (sql === 'PRAGMA journal_mode = WAL' && asked++ < 100) throw Object.assign(new Error('full'), { errcode: 13 })
    exec.call(this, sql)
  })
  await expect(opened([FIRST])).rejects.toThrowError(refusal({ kind: 'output', code: 'STATE_FULL' }))
  expect(asked).toBe(1)
})

test('many openings of a new file in one process at the same time make its tables once', async () => {
  const { setTimeout: real } = await vi.importActual<typeof import('node:timers/promises')>('node:timers/promises')
  vi.mocked(sleep).mockImplementation((ms) => real(ms))
  const all = await Promise.all(Array.from({ length: 12 }, () => opened([FIRST, 'INSERT INTO first VALUES (7)'])))
  for (const db of all) expect(db.prepare('SELECT id FROM first').all()).toEqual([{ id: 7 }])
})

test('a commit on macOS reaches the disk, and not only the memory of the drive', async () => {
  const db = await opened([FIRST])
  expect([pragma(db, 'fullfsync'), pragma(db, 'checkpoint_fullfsync')]).toEqual([1, 1])
})

test('after the tables are up to date, the busy timeout of the database is 10 s', async () => {
  expect(pragma(await opened([FIRST]), 'busy_timeout')).toBe(10_000)
})
