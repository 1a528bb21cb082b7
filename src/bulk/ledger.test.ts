import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../test/kit/open-files.ts'
import { createLedger, type LedgerRow } from './ledger.ts'
import {
  connectAgain,
  existingFile,
  isLostLedger,
  type JobFacts,
  moveLedger,
  openLedgerFile,
  readFacts,
  removeLedger,
  writeFacts,
} from './ledger-file.ts'

let dir: string
let path: string
let db: DatabaseSync
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-ledger-'))
  path = join(dir, 'a b#%.db')
  db = await openLedgerFile(path, true, () => {})
})
afterEach(() => {
  if (db.isOpen) db.close()
  rmSync(dir, { recursive: true, force: true })
})

const ledgerOf = (durable: boolean, ids: readonly number[] = []) =>
  createLedger(db, { path, ids: Float64Array.from(ids), durable })
const ok = { outcome: 'ok' }

/** Returns the rows of the ledger on the disk: number, state, result, and hash of the id. */
function onDisk(): unknown[] {
  const other = connectAgain(path)
  const rows = other.prepare('select number, state, result, id from row order by number').all()
  other.close()
  return rows.map(({ number, state, result, id }) => [number, state, result, id])
}

test('an intent is on the disk, with every earlier outcome, when its promise resolves, and not before [row 93]', async () => {
  const ledger = ledgerOf(true, [7, 8])
  expect(ledger.settle(1, 'done', ok)).toBe('{"outcome":"ok"}')
  const both = [ledger.intend(2), ledger.intend(3)]
  expect(onDisk()).toEqual([])
  await both[0]
  expect(onDisk()).toEqual([
    [1, 'done', '{"outcome":"ok"}', 7],
    [2, 'sent', null, 8],
    [3, 'sent', null, null],
  ])
  await both[1]
  ledger.forget(2)
  ledger.settle(3, 'unknown', ok)
  await ledger.intend(4)
  expect(onDisk().map((row) => (row as unknown[]).slice(0, 2))).toEqual([
    [1, 'done'],
    [3, 'unknown'],
    [4, 'sent'],
  ])
})

test('outcomes of repeatable calls are written 512 at a time, outcomes of other calls wait for a flush', () => {
  const repeated = ledgerOf(false)
  for (let number = 1; number < 512; number++) repeated.settle(number, 'done', ok)
  expect(onDisk()).toHaveLength(0)
  repeated.settle(512, 'done', ok)
  expect(onDisk()).toHaveLength(512)
  repeated.settle(513, 'done', ok)
  expect(onDisk()).toHaveLength(512)
  repeated.flush()
  expect(onDisk()).toHaveLength(513)
  const guarded = ledgerOf(true)
  for (let number = 514; number < 1600; number++) guarded.settle(number, 'done', ok)
  expect(onDisk()).toHaveLength(513)
  guarded.flush()
  guarded.flush()
  expect(onDisk()).toHaveLength(1599)
})

test('the rows of a ledger are read in order, with all digits, as they were when the reading began', () => {
  const ledger = ledgerOf(false)
  ledger.settle(3, 'failed', { outcome: 'failed', n: 1 })
  ledger.settle(1, 'done', ok)
  ledger.flush()
  db.exec(
    `insert into row (number, state, result) values (2, 'sent', null), (4, 'done', '{"outcome":"ok","n":12345678901234567890}')`,
  )
  const rows = ledger.rows()
  const first = rows.next().value
  ledger.settle(5, 'done', ok)
  ledger.flush()
  const [two, three, four, ...more] = rows
  expect([first, two, three]).toEqual([
    { number: 1, state: 'done', result: ok, json: '{"outcome":"ok"}' },
    { number: 2, state: 'sent' satisfies LedgerRow['state'], result: undefined, json: '' },
    { number: 3, state: 'failed', result: { outcome: 'failed', n: 1 }, json: '{"outcome":"failed","n":1}' },
  ])
  expect(JSON.stringify(four?.result)).toBe('{"outcome":"ok","n":12345678901234567890}')
  expect(more).toEqual([])
})

test('a reader that stops early does not prevent the ledger from being closed completely', () => {
  const ledger = ledgerOf(false)
  ledger.settle(1, 'done', ok)
  ledger.settle(2, 'done', ok)
  ledger.flush()
  for (const row of ledger.rows()) if (row.number === 1) break
  db.close()
  expect(existsSync(`${path}-wal`)).toBe(false)
})

test('on a full disk every waiting worker gets an error whose hint says how to continue, and no row is stored', async () => {
  db.exec('pragma max_page_count = 1')
  const ledger = ledgerOf(true)
  const big = { outcome: 'ok', text: 'x'.repeat(100_000) }
  ledger.settle(1, 'done', big)
  const full = {
    kind: 'output',
    code: 'LEDGER_FULL',
    message: `the ledger of this run could not be written, so nothing more was sent: ${path} could not be written: the disk is full or reported an error`,
    hint: expect.stringMatching(
      /^Make room on that disk \([0-9.]+ MB are free there\), then continue with --resume\.$/,
    ),
  }
  const waiting = [ledger.intend(2), ledger.intend(3)]
  for (const each of waiting) await expect(each).rejects.toMatchObject(full)
  expect([db.isTransaction, onDisk()]).toEqual([false, []])
  expect(() => ledger.flush()).toThrow(expect.objectContaining(full))
  db.exec('pragma max_page_count = 1000')
  await ledger.intend(4)
  expect(onDisk()).toEqual([
    [1, 'done', JSON.stringify(big), null],
    [4, 'sent', null, null],
  ])
})

test('outcomes that could not be written are kept and written by the next flush, and intents that could not be written are not', async () => {
  const ledger = ledgerOf(true)
  await Promise.all([1, 2, 3, 4].map((number) => ledger.intend(number)))
  db.exec("create trigger no before insert on row begin select raise(abort, 'no'); end")
  ledger.settle(1, 'done', ok)
  ledger.forget(2)
  await expect(ledger.intend(5)).rejects.toMatchObject({ code: 'STATE_UNUSABLE' })
  ledger.settle(3, 'failed', { outcome: 'failed' })
  ledger.settle(4, 'unknown', { outcome: 'unknown' })
  expect(() => ledger.flush()).toThrow(expect.objectContaining({ code: 'STATE_UNUSABLE' }))
  // The outcome of row 4 would be unknown to the next run in any case.
  expect(ledger.unstored()).toBe(2)
  expect(onDisk()).toEqual([1, 2, 3, 4].map((number) => [number, 'sent', null, null]))
  db.exec('drop trigger no')
  ledger.flush()
  expect(ledger.unstored()).toBe(0)
  expect(onDisk()).toEqual([
    [1, 'done', '{"outcome":"ok"}', null],
    [3, 'failed', '{"outcome":"failed"}', null],
    [4, 'unknown', '{"outcome":"unknown"}', null],
  ])
})

test('an intent that waits for its turn is refused if a flush before it failed to write it', async () => {
  db.exec("create trigger no before insert on row begin select raise(abort, 'no'); end")
  const ledger = ledgerOf(true)
  const intent = expect(ledger.intend(1)).rejects.toMatchObject({ code: 'STATE_UNUSABLE' })
  expect(() => ledger.flush()).toThrow(expect.objectContaining({ code: 'STATE_UNUSABLE' }))
  db.exec('drop trigger no')
  await intent
  expect(onDisk()).toEqual([])
})

test('a ledger that another process has locked is reported as busy, not as a full disk', () => {
  const other = connectAgain(path)
  other.exec('begin immediate')
  db.exec('pragma busy_timeout = 0')
  const ledger = ledgerOf(false)
  ledger.settle(1, 'done', ok)
  expect(() => ledger.flush()).toThrow(expect.objectContaining({ kind: 'config', code: 'STATE_BUSY' }))
  other.close()
})

test('a ledger that was moved away accepts no intent, because the row could be sent twice', async () => {
  const ledger = ledgerOf(true)
  await ledger.intend(1)
  renameSync(path, join(dir, 'moved'))
  await expect(ledger.intend(2)).rejects.toMatchObject({
    kind: 'output',
    code: 'LEDGER_LOST',
    message: expect.stringMatching(/^a b#%\.db was .+ during this run, so nothing more was sent$/),
    hint: 'Restore that file before you repeat this run, because it shows which rows were sent. The results that were written so far also show these rows.',
  })
  expect(() => ledger.flush()).not.toThrow()
})

const facts: JobFacts = {
  command: 'evaluate',
  profile: 'p',
  source: '/in.csv',
  digest: 'd',
  settings: 's',
  rows: 12,
  startedAt: '2026-01-01T00:00:00Z',
  pid: 77,
}

test('the facts of a run are read as they were written, and a write changes only the facts it contains', () => {
  expect(readFacts(path)).toBeUndefined()
  writeFacts(db, { ...facts, sentSum: 'ff' })
  writeFacts(db, { pid: 78 })
  expect(readFacts(path)).toEqual({ ...facts, sentSum: 'ff', pid: 78 })
})

test('a file that is missing, has other content, or has no digest of its input is not a ledger', async () => {
  const missing = join(dir, 'missing.db')
  expect([readFacts(missing), existsSync(missing)]).toEqual([undefined, false])
  expect(() => connectAgain(missing)).toThrow('unable to open database file')
  writeFileSync(join(dir, 'text.db'), 'x'.repeat(5000))
  expect(readFacts(join(dir, 'text.db'))).toBeUndefined()
  writeFacts(db, { command: 'evaluate', rows: 3 })
  expect(readFacts(path)).toBeUndefined()
})

test('SQLite opens a ledger in the form of a path on a network share of Windows, and refuses the form with a host', () => {
  expect(existingFile('\\\\server\\share\\a b#.db', true).href).toBe('file:////server/share/a%20b%23.db?mode=rw')
  expect(existingFile('C:\\state\\a.db', true).href).toBe('file:///C:/state/a.db?mode=rw')
  const { pathname } = existingFile(path)
  new DatabaseSync(new URL(`file:///${pathname}?mode=rw`)).close()
  expect(() => new DatabaseSync(new URL(`file://server${pathname}?mode=rw`))).toThrow('invalid uri authority')
})

test('facts that do not fit on the disk are an error about the disk', () => {
  db.exec('pragma max_page_count = 1')
  expect(() => writeFacts(db, { settings: 'x'.repeat(100_000) })).toThrow(
    expect.objectContaining({ kind: 'output', code: 'STATE_FULL', message: expect.stringContaining(path) }),
  )
})

test('a ledger is private, and is synchronised with the disk only if calls may not be repeated', async () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const synchronous = (each: DatabaseSync) => each.prepare('pragma synchronous').get()?.synchronous
  const fast = await openLedgerFile(join(dir, 'fast.db'), false, () => {})
  expect([synchronous(db), synchronous(fast)]).toEqual([2, 0])
  fast.close()
})

test('a ledger is removed with its -wal and -shm files, and removing a missing ledger is no error', () => {
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(join(dir, `gone.db${suffix}`), '')
  removeLedger(join(dir, 'gone.db'))
  removeLedger(join(dir, 'gone.db'))
  expect(['', '-wal', '-shm'].filter((suffix) => existsSync(join(dir, `gone.db${suffix}`)))).toEqual([])
})

test('a commit that fails in its middle leaves none of its rows, and the next one writes the outcomes again', async () => {
  db.exec("create trigger no before insert on row when new.number = 2 begin select raise(abort, 'no'); end")
  const ledger = ledgerOf(true)
  ledger.settle(1, 'done', ok)
  await expect(ledger.intend(2)).rejects.toMatchObject({ code: 'STATE_UNUSABLE' })
  expect([db.isTransaction, onDisk()]).toEqual([false, []])
  await ledger.intend(3)
  expect(onDisk()).toEqual([
    [1, 'done', '{"outcome":"ok"}', null],
    [3, 'sent', null, null],
  ])
})

test('a ledger is renamed together with its -wal file, and a missing file is no error', () => {
  const [from, to] = [join(dir, 'from.db'), join(dir, 'to.db')]
  for (const suffix of ['', '-wal']) writeFileSync(from + suffix, `was from.db${suffix}`)
  moveLedger(from, to)
  const there = (path: string) => ['', '-wal', '-shm'].filter((suffix) => existsSync(path + suffix))
  expect([there(from), there(to)]).toEqual([[], ['', '-wal']])
  expect(readFileSync(`${to}-wal`, 'utf8')).toBe('was from.db-wal')
  moveLedger(from, to)
  expect(there(to)).toEqual(['', '-wal'])
})

test('a ledger file that is empty or damaged counts as lost, and a newly created or missing one does not', () => {
  const lost = join(dir, 'lost.db')
  expect(isLostLedger(lost)).toBe(false)
  writeFileSync(lost, '')
  expect(isLostLedger(lost)).toBe(true)
  for (const at of [0, 50]) {
    writeFileSync(lost, Buffer.concat([Buffer.from('SQLite format 3\0').subarray(0, at), Buffer.alloc(9000, 0x5a)]))
    expect(isLostLedger(lost)).toBe(true)
  }
  rmSync(lost)
  using fresh = new DatabaseSync(lost)
  fresh.exec('create table other (a text) strict')
  expect([isLostLedger(lost), isLostLedger(path)]).toEqual([false, false])
})

test('facts without a value are left out, and reading the facts keeps no file open', () => {
  writeFacts(db, { ...facts, endedAt: undefined } as never)
  expect(Object.keys(readFacts(path) ?? {})).toEqual(Object.keys(facts))
  db.close()
  expect(readFacts(path)).toEqual(facts)
  writeFileSync(join(dir, 'text.db'), 'x'.repeat(5000))
  readFacts(join(dir, 'text.db'))
  expect([timesOpen(path), timesOpen(join(dir, 'text.db'))]).toEqual([0, 0])
})

test('a ledger with no fact except its digest is read with empty values for the other facts', () => {
  writeFacts(db, { digest: 'd' })
  expect(readFacts(path)).toEqual({
    command: '',
    profile: '',
    source: '',
    digest: 'd',
    settings: '',
    rows: Number.NaN,
    startedAt: '',
    pid: Number.NaN,
  })
})
