import { closeSync, mkdtempSync, openSync, readlinkSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../../../test/kit/open-files.ts'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { BnplError } from '../../errors.ts'
import { type Commits, openCommits } from './commits.ts'

let dir: string
let path: string
let commits: Commits
let log: string[]
/** What a checkpoint does. In the program, another thread does this work. */
let checkpoint: () => Promise<void>
/** What a sync does. */
let sync: () => Promise<void>
const losses: string[] = []

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-commits-'))
  path = join(dir, 'inbox.db')
  log = []
  losses.length = 0
  checkpoint = async () => {}
  sync = async () => {}
  commits = await openCommits({
    stateDir: dir,
    notice: () => {},
    checkpoint: async () => {
      log.push('checkpoint')
      await checkpoint()
    },
    syncFile: async (file) => {
      log.push(`sync ${readlinkSync(`/proc/self/fd/${file}`).slice(dir.length + 1)}`)
      await sync()
    },
    lost: (what) => losses.push(what),
  })
})
afterEach(async () => {
  await commits.close()
  rmSync(dir, { recursive: true, force: true })
})

const store = (id: string, bytes = 2) => commits.commit(batch([arrival(id, { body: Buffer.alloc(bytes, 'x') })]))
const MIB = 1024 * 1024
const logSize = () => statSync(`${path}-wal`).size
/** Returns how many bytes a probe writes to the log. */
async function probed(): Promise<number> {
  const before = logSize()
  await commits.probe()
  return logSize() - before
}

test('a record and a probe are acknowledged only after a sync of the log', async () => {
  expect(await store('e1')).toEqual([{ fate: 'new', seq: 1 }])
  expect(log).toEqual(['sync inbox.db-wal'])
  await commits.probe()
  expect(log).toEqual(['sync inbox.db-wal', 'sync inbox.db-wal'])
})

test('a probe is small, but the first probe after a failed write is as large as the largest delivery', async () => {
  await store('e1', MIB)
  expect(await probed()).toBeLessThan(64 * 1024)
  using other = new DatabaseSync(path)
  other.exec('ALTER TABLE facts RENAME TO lost')
  await expect(commits.probe()).rejects.toMatchObject({ code: expect.not.stringMatching('STATE_DAMAGED') })
  other.exec('ALTER TABLE lost RENAME TO facts')
  expect(await probed()).toBeGreaterThan(MIB)
  expect(await probed()).toBeLessThan(64 * 1024)
})

test('before any delivery, the probe after a failed write is as large as a usual delivery', async () => {
  using other = new DatabaseSync(path)
  other.exec('ALTER TABLE facts RENAME TO lost')
  await expect(commits.probe()).rejects.toThrow()
  other.exec('ALTER TABLE lost RENAME TO facts')
  const bytes = await probed()
  expect(bytes).toBeGreaterThan(64 * 1024)
  expect(bytes).toBeLessThan(MIB)
})

test('a write that fails for another reason than a busy file is not tried again', async () => {
  using other = new DatabaseSync(path)
  other.exec('ALTER TABLE events RENAME TO lost')
  const started = performance.now()
  await expect(store('e1')).rejects.toBeInstanceOf(BnplError)
  expect(performance.now() - started).toBeLessThan(5000)
  other.exec('ALTER TABLE lost RENAME TO events')
  expect(await store('e1')).toMatchObject([{ fate: 'new' }])
})

test('a fault in a write is thrown unchanged, and the next write works', async () => {
  const impossible = arrival('e1', { body: undefined as never })
  await expect(commits.commit(batch([impossible]))).rejects.toBeInstanceOf(TypeError)
  expect(await store('e1')).toMatchObject([{ fate: 'new' }])
})

test('a damaged file ends receiving for good, even if a later write would succeed', async () => {
  await store('e1')
  using other = new DatabaseSync(path, { defensive: false })
  const spoil = (from: string, to: string) =>
    other.exec(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = 'facts';
      PRAGMA schema_version = ${Number(other.prepare('PRAGMA schema_version').get()?.schema_version) + 1}`)
  spoil('CREATE TABLE', 'NO TABLE')
  await expect(store('e2')).rejects.toMatchObject({ code: 'STATE_DAMAGED' })
  spoil('NO TABLE', 'CREATE TABLE')
  await expect(store('e2')).rejects.toMatchObject({ code: 'STATE_DAMAGED' })
  await expect(commits.probe()).rejects.toMatchObject({ code: 'STATE_DAMAGED' })
  expect(losses).toEqual([])
})

test('after receiving has ended, every call fails with the first reason', async () => {
  const reason = new BnplError('config', 'another receiver has taken the inbox')
  commits.fail(reason)
  commits.fail(new BnplError('config', 'later'))
  await expect(store('e1')).rejects.toBe(reason)
  await expect(commits.probe()).rejects.toBe(reason)
  expect(() => commits.look()).toThrow(reason)
  rmSync(path)
  expect(() => commits.look()).toThrow(reason)
  expect(losses).toEqual([])
})

const lostMessage = (what: string) => ({
  kind: 'output',
  code: 'INBOX_LOST',
  message: `${what} while this receiver ran. No delivery is acknowledged until the receiver is started again`,
})

test.each<[string, () => void]>([
  ['inbox.db was removed or renamed', () => rmSync(path)],
  ['inbox.db was cut short', () => truncateSync(path, 100)],
  ['inbox.db-wal was cut short', () => truncateSync(`${path}-wal`, 0)],
])('when %s, no further event is stored, and the loss is reported once', async (what, happen) => {
  await store('e1')
  happen()
  await expect(store('e2')).rejects.toMatchObject(lostMessage(what))
  await expect(commits.probe()).rejects.toMatchObject(lostMessage(what))
  expect(() => commits.look()).toThrow(expect.objectContaining(lostMessage(what)))
  expect(losses).toEqual([what])
})

test('an overwritten file is found by a look and by a probe', async () => {
  await store('e1')
  commits.look()
  const file = openSync(path, 'r+')
  writeSync(file, 'something else', 0)
  closeSync(file)
  expect(() => commits.look()).toThrow(expect.objectContaining(lostMessage('inbox.db was overwritten')))
  await expect(commits.probe()).rejects.toMatchObject(lostMessage('inbox.db was overwritten'))
  expect(losses).toEqual(['inbox.db was overwritten'])
})

test('an overwritten file is found by a probe without a look', async () => {
  await store('e1')
  const file = openSync(path, 'r+')
  writeSync(file, 'something else', 0)
  closeSync(file)
  await expect(commits.probe()).rejects.toMatchObject(lostMessage('inbox.db was overwritten'))
})

test('after a sync that failed nothing is acknowledged any more, and the error says what to do [row 68]', async () => {
  const cause = new Error('EIO')
  sync = () => Promise.reject(cause)
  const failed = {
    kind: 'output',
    code: 'DISK_FAILED',
    cause,
    message: `${path} could not be synced to the disk. No delivery is acknowledged until the receiver is started again on a disk that works`,
  }
  await expect(store('e1')).rejects.toMatchObject(failed)
  sync = async () => {}
  await expect(store('e2')).rejects.toMatchObject(failed)
  await expect(commits.probe()).rejects.toMatchObject(failed)
  expect(losses).toEqual([])
})

test('a batch is not acknowledged if the file is removed during the sync', async () => {
  checkpoint = async () => {}
  const stored = commits.commit(batch([arrival('e1')]), () => rmSync(path))
  await expect(stored).rejects.toMatchObject(lostMessage('inbox.db was removed or renamed'))
})

/** Waits until exactly these entries were logged, apart from the syncs of the log. */
const settled = (entries: string[]) =>
  expect.poll(() => log.filter((entry) => entry !== 'sync inbox.db-wal')).toEqual(entries)

test('after 16 MiB, the log is checkpointed, the database is synced, and a second checkpoint moves the rest', async () => {
  for (let i = 0; i < 15; i++) await store(`e${i}`, MIB)
  await settled([])
  // SQLite does not move the log by itself.
  expect(statSync(path).size).toBeLessThan(MIB)
  await store('last', MIB)
  await settled(['checkpoint', 'sync inbox.db', 'checkpoint'])
  for (let i = 0; i < 15; i++) await store(`f${i}`, MIB)
  await settled(['checkpoint', 'sync inbox.db', 'checkpoint'])
})

test('towards the next checkpoint, a batch counts as 32 KiB, and an event as 512 bytes', async () => {
  for (let i = 0; i < 250; i++) {
    await commits.commit(batch(Array.from({ length: 100 }, (_, n) => arrival(`e${i}-${n}`, { body: Buffer.alloc(0) }))))
    if (log.includes('checkpoint')) break
  }
  // A batch counts as 32 KiB, and an event as 512 bytes.
  const batches = log.filter((entry) => entry === 'sync inbox.db-wal').length
  expect(batches).toBe(Math.floor((16 * MIB) / (32 * 1024 + 100 * 512)) + 1)
})

test('a batch waits for a running checkpoint only after 16 MiB more were written to the log', async () => {
  const gate = Promise.withResolvers<void>()
  checkpoint = () => gate.promise
  for (let i = 0; i < 16; i++) await store(`e${i}`, MIB)
  await settled(['checkpoint'])
  for (let i = 0; i < 16; i++) await store(`f${i}`, MIB)
  let isStored = false
  const late = store('late').then(() => {
    isStored = true
  })
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  expect(isStored).toBe(false)
  gate.resolve()
  await late
})

test('a failed checkpoint is repeated after the next 16 MiB, and receiving continues', async () => {
  checkpoint = () => Promise.reject(new Error('busy'))
  for (let i = 0; i < 16; i++) await store(`e${i}`, MIB)
  await settled(['checkpoint'])
  checkpoint = async () => {}
  for (let i = 0; i < 16; i++) await store(`f${i}`, MIB)
  await settled(['checkpoint', 'checkpoint', 'sync inbox.db', 'checkpoint'])
})

test('no file stays open after closing', async () => {
  await store('e1')
  expect(timesOpen(dir)).toBeGreaterThan(0)
  await commits.close()
  expect(timesOpen(dir)).toBe(0)
  commits = { close: async () => {} } as Commits
})
