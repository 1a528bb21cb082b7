import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { workedMs } from '../../../test/kit/limits.ts'
import { arrival, batch, fates, result } from '../../../test/receiver/inbox-kit.ts'
import type { Inbox } from '../inbox.ts'
import { createFileReader, openInbox } from './inbox.ts'
import { openInboxThread } from './receiving-inbox.ts'

let dir: string
const opened: Inbox[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-inbox-'))
})
afterEach(async () => {
  for (const inbox of opened.splice(0)) await inbox.close()
  rmSync(dir, { recursive: true, force: true })
})

async function open(): Promise<Inbox> {
  const inbox = await openInbox(dir)
  opened.push(inbox)
  return inbox
}

test('the inbox uses a write-ahead log, and only the owner can read the file [row 68]', async () => {
  const inbox = await open()
  await inbox.commit(batch([arrival('e1')]))
  using db = new DatabaseSync(join(dir, 'inbox.db'), { readOnly: true })
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(statSync(join(dir, 'inbox.db')).mode & 0o777).toBe(0o600)
})

test('one process receives; the second is refused with the pid of the first [row 92]', async () => {
  const inbox = await open()
  await inbox.claim({ pid: 4711, address: '127.0.0.1:4556' })
  const second = await open()
  await expect(second.claim({ pid: 4712, address: '' })).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining('pid 4711, 127.0.0.1:4556'),
  })
  await inbox.close()
  opened.shift()
  await second.claim({ pid: 4712, address: '' })
})

test('a copy of the inbox of a running receiver forgets the destinations, which the original still uses', async () => {
  const inbox = await open()
  // The process 1 always runs.
  await inbox.claim({ pid: 1, address: '' })
  const note = { id: 'd1', url: 'https://shop.example' }
  await inbox.setOwnDestination('acme', note)
  const copy = `${dir}-copy`
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(dir, copy, { recursive: true })
  const ofCopy = await openInbox(copy)
  opened.push(ofCopy)
  expect(await ofCopy.ownDestination('acme')).toEqual(note)
  await ofCopy.claim({ pid: process.pid, address: '' })
  expect(await ofCopy.ownDestination('acme')).toBeUndefined()
  expect(await inbox.ownDestination('acme')).toEqual(note)
})

test('the inbox in a thread keeps the fates of deliveries, exact bodies and the kinds of errors', async () => {
  const thread = await openInboxThread(dir, () => {})
  opened.push(thread)
  await thread.claim({ pid: 1, address: '' })
  const bytes = Buffer.from([0, 1, 0xff, 0x7b])
  const recorded = await thread.commit(
    batch([arrival('e1', { body: bytes }), arrival('e2'), arrival('e1', { body: bytes })]),
  )
  expect(recorded.map(({ fate }) => fate)).toEqual(['new', 'new', 'duplicate'])
  const [event] = await thread.find({ eventId: 'e1', limit: 1 })
  expect(Buffer.from(event?.body ?? [])).toEqual(bytes)
  const second = await openInboxThread(dir, () => {})
  opened.push(second)
  await expect(second.claim({ pid: 2, address: '' })).rejects.toMatchObject({
    kind: 'config',
    code: 'LISTENER_RUNNING',
  })
})

test('a file that is not an inbox is refused and keeps its size', async () => {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'inbox.db'), 'x'.repeat(5000), { mode: 0o600 })
  await expect(openInboxThread(dir, () => {})).rejects.toMatchObject({ kind: 'config' })
  expect(statSync(join(dir, 'inbox.db')).size).toBe(5000)
})

test('a million events: a lookup works less than a millisecond, and a restart less than three seconds [row 55]', async () => {
  const inbox = await open()
  await inbox.close()
  opened.pop()
  using db = new DatabaseSync(join(dir, 'inbox.db'))
  // Insert as many keys as a million events leave behind. SQL makes them, because that is faster.
  db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    INSERT INTO seen (key, seq) SELECT printf('%021d', i) || 'x', i FROM n`)
  db.close()
  const many = Array.from({ length: 500 }, (_, i) => arrival(`new-${i}`))
  const [restarts, lookups]: [number[], number[]] = [[], []]
  for (const fate of ['new', 'duplicate', 'duplicate', 'duplicate']) {
    const started = workedMs()
    const again = await open()
    restarts.push(workedMs() - started)
    const from = workedMs()
    expect(new Set(await fates(again, ...many))).toEqual(new Set([fate]))
    lookups.push((workedMs() - from) / many.length)
    await again.close()
    opened.pop()
  }
  // Compare the fastest run, because other work of this process only adds time.
  expect(Math.min(...restarts)).toBeLessThan(3000)
  expect(Math.min(...lookups)).toBeLessThan(1)
})

test('a search by time reads no older events, and works after the clock was set back', async () => {
  const inbox = await open()
  const at = (id: string, receivedAt: number) => ({ ...arrival(id), receivedAt })
  // The clock was set back, so the event with the highest number is not the newest.
  await inbox.commit(batch([at('old', 1_000), at('new', 9_000), at('put-back', 5_000)]))
  const since = async (time: number) => (await inbox.find({ since: time, limit: 10 })).map(({ eventId }) => eventId)
  expect(await since(5_000)).toEqual(['put-back', 'new'])
  expect(await since(9_001)).toEqual([])
  using db = new DatabaseSync(join(dir, 'inbox.db'), { readOnly: true })
  const asked: string[] = []
  const prepare = (sql: string) => db.prepare(asked[asked.push(sql) - 1] as string)
  await createFileReader({ prepare } as DatabaseSync, (work) => work()).find({ since: 5_000, limit: 10 })
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${asked[0]}`).all(0, 0, 0)
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH e USING INTEGER PRIMARY KEY (rowid>?)')
})

test('the progress of a destination passes the events that were replayed before their turn, so that they are read only once', async () => {
  const inbox = await open()
  await inbox.commit(batch(['e1', 'e2', 'e3', 'e4'].map((id) => arrival(id, { forward: true }))))
  using db = new DatabaseSync(join(dir, 'inbox.db'), { readOnly: true })
  const progressAfter = async (seq: number, state: 'retrying' | 'delivered' | 'dead') => {
    await inbox.commit(batch([], { forwards: [result(seq, state)] }))
    return db.prepare('SELECT forwarded_up_to FROM destinations').get()?.forwarded_up_to
  }
  expect(await progressAfter(1, 'retrying')).toBe(0)
  expect(await progressAfter(2, 'delivered')).toBe(0)
  expect(await progressAfter(1, 'dead')).toBe(2)
  expect(await progressAfter(4, 'delivered')).toBe(2)
  expect(await progressAfter(1, 'delivered')).toBe(2)
  expect(await progressAfter(3, 'delivered')).toBe(4)
})
