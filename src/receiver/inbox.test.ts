import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Arrival, Batch, ForwardResult, Inbox } from './inbox.ts'
import { openInbox } from './inbox-sqlite.ts'
import { openInboxThread } from './inbox-thread.ts'

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

const arrival = (eventId: string, more: Partial<Arrival> = {}): Arrival => ({
  destination: '/webhooks',
  scheme: 'hmac',
  eventId,
  event: 'loan_approved',
  odd: null,
  body: Buffer.from(`{"eventId":"${eventId}"}`),
  contentType: 'application/json',
  signature: 'aa',
  receivedAt: 1000,
  forward: false,
  ...more,
})
const batch = (arrivals: Arrival[], more: Partial<Batch> = {}): Batch => ({
  arrivals,
  forwards: [],
  emittedUpTo: undefined,
  ...more,
})
const fates = async (inbox: Inbox, ...arrivals: Arrival[]) =>
  (await inbox.commit(batch(arrivals))).map(({ fate }) => fate)
const result = (seq: number, state: ForwardResult['state']): ForwardResult => ({
  seq,
  state,
  attempts: 1,
  status: 200,
  error: null,
  ms: 3.7,
  at: 2000,
})

test('an event is new once, in one batch as over many', async () => {
  const inbox = await open()
  expect(await fates(inbox, arrival('e1'), arrival('e1'), arrival('e2'))).toEqual(['new', 'duplicate', 'new'])
  expect(await inbox.commit(batch([arrival('e1')]))).toEqual([{ fate: 'duplicate', seq: 1 }])
  expect((await inbox.emittable(0, 10)).map(({ eventId, seq }) => [eventId, seq])).toEqual([
    ['e1', 1],
    ['e2', 2],
  ])
})

test('row 59: the same eventId at two destinations is two events', async () => {
  const inbox = await open()
  expect(await fates(inbox, arrival('e1'), arrival('e1', { destination: '/other' }))).toEqual(['new', 'new'])
})

test('row 56: the same eventId with another body is a variant: kept once, not to be emitted or forwarded', async () => {
  const inbox = await open()
  const other = arrival('e1', { body: Buffer.from('other'), forward: true })
  expect(await fates(inbox, arrival('e1'), other, other, arrival('e1'))).toEqual([
    'new',
    'variant',
    'duplicate',
    'duplicate',
  ])
  expect(await inbox.emittable(0, 10)).toHaveLength(1)
  expect(await inbox.backlog()).toEqual({ waiting: 0, oldestAt: null })
  const [variant] = await inbox.find({ state: 'variant', limit: 10 })
  expect(variant).toMatchObject({ variantOf: 1, fate: 'variant' })
  expect(Buffer.from(variant?.body ?? [])).toEqual(Buffer.from('other'))
})

test('row 60: what is no envelope is kept once, in quarantine', async () => {
  const inbox = await open()
  const odd = arrival('', { eventId: null, event: null, odd: 'it is not an object', body: Buffer.from('[1]') })
  expect(await fates(inbox, odd, odd)).toEqual(['quarantined', 'duplicate'])
  expect(await inbox.emittable(0, 10)).toEqual([])
  expect(await inbox.find({ state: 'quarantined', limit: 10 })).toMatchObject([{ odd: 'it is not an object' }])
})

test('row 55: what was seen stays known, after a restart and after its body was pruned a month later', async () => {
  const inbox = await open()
  await inbox.commit(batch([arrival('e1'), arrival('e2'), arrival('e3')], { emittedUpTo: 0 }))
  await inbox.commit(batch([], { emittedUpTo: 3 }))
  const month = 30 * 86_400_000
  expect(await inbox.prune(1000 + month)).toBe(2)
  await inbox.close()
  opened.pop()
  const again = await open()
  expect(await fates(again, arrival('e1'), arrival('e2'), arrival('e4'))).toEqual(['duplicate', 'duplicate', 'new'])
  expect((await again.emittable(3, 10)).map(({ eventId, seq }) => [eventId, seq])).toEqual([['e4', 4]])
})

test('pruning leaves what is still to be emitted or forwarded, and what was set aside', async () => {
  const inbox = await open()
  const all = ['e1', 'e2', 'e3', 'e4', 'e5'].map((id) => arrival(id, { forward: true }))
  await inbox.commit(batch(all))
  await inbox.commit(batch([], { emittedUpTo: 4, forwards: [result(1, 'delivered'), result(2, 'dead')] }))
  expect(await inbox.prune(5000)).toBe(1)
  expect((await inbox.find({ limit: 10 })).map(({ eventId }) => eventId)).toEqual(['e5', 'e4', 'e3', 'e2'])
})

test('forwarding is remembered in order; what is replayed out of its turn lets nothing be skipped', async () => {
  const inbox = await open()
  await inbox.commit(batch(['e1', 'e2', 'e3'].map((id) => arrival(id, { forward: true }))))
  await inbox.commit(batch([], { forwards: [result(3, 'delivered')] }))
  expect((await inbox.waiting('/webhooks', 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  await inbox.commit(batch([], { forwards: [result(1, 'retrying')] }))
  expect((await inbox.waiting('/webhooks', 0, 10))[0]).toMatchObject({ seq: 1, forwarding: { state: 'retrying' } })
  await inbox.commit(batch([], { forwards: [result(1, 'delivered'), result(2, 'dead')] }))
  expect((await inbox.waiting('/webhooks', 0, 10)).map(({ seq }) => seq)).toEqual([3])
  expect(await inbox.waitingDestinations()).toEqual(['/webhooks'])
  await inbox.commit(batch([], { forwards: [result(3, 'delivered')] }))
  expect(await inbox.waitingDestinations()).toEqual([])
  expect(await inbox.find({ state: 'dead', limit: 9 })).toMatchObject([{ eventId: 'e2' }])
})

test('a batch that fails leaves nothing of itself, and the next one is as if it had not been', async () => {
  const inbox = await open()
  await inbox.commit(batch([arrival('e1')]))
  const impossible = arrival('e3', { receivedAt: 'never' as never })
  await expect(inbox.commit(batch([arrival('e2'), impossible]))).rejects.toThrow()
  expect(await inbox.commit(batch([arrival('e2')]))).toEqual([{ fate: 'new', seq: 2 }])
})

test('row 68: a commit is synced to the disk before it returns, and the file is its owner’s alone', async () => {
  const inbox = await open()
  await inbox.commit(batch([arrival('e1')]))
  using db = new DatabaseSync(join(dir, 'inbox.db'), { readOnly: true })
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(statSync(join(dir, 'inbox.db')).mode & 0o777).toBe(0o600)
})

test('row 92: one process receives; the second is told who does', async () => {
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

test('in a thread it is the same inbox: records, bodies byte for byte, errors with their kind', async () => {
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

test('a file that is no inbox is left as it is', async () => {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'inbox.db'), 'x'.repeat(5000), { mode: 0o600 })
  await expect(openInboxThread(dir, () => {})).rejects.toMatchObject({ kind: 'config' })
  expect(statSync(join(dir, 'inbox.db')).size).toBe(5000)
})

test('row 55: a million events: a lookup stays under a millisecond, and a restart under three seconds', async () => {
  const inbox = await open()
  await inbox.close()
  opened.pop()
  using db = new DatabaseSync(join(dir, 'inbox.db'))
  // As many keys as a million events leave behind, made by the database itself.
  db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    INSERT INTO seen SELECT printf('%021d', i) || 'x', i FROM n`)
  db.close()
  const started = performance.now()
  const again = await open()
  expect(performance.now() - started).toBeLessThan(3000)
  const many = Array.from({ length: 500 }, (_, i) => arrival(`new-${i}`))
  await again.commit(batch(many))
  const from = performance.now()
  expect(new Set(await fates(again, ...many))).toEqual(new Set(['duplicate']))
  expect((performance.now() - from) / many.length).toBeLessThan(1)
})

test('the backlog is what is still to be forwarded, over every destination, and since when', async () => {
  const inbox = await open()
  expect(await inbox.backlog()).toEqual({ waiting: 0, oldestAt: null })
  const forward = (id: string, destination: string, receivedAt: number) =>
    arrival(id, { destination, receivedAt, forward: true })
  const events = [
    forward('a1', '/a', 3000),
    forward('a2', '/a', 4000),
    forward('b1', '/b', 5000),
    forward('b2', '/b', 6000),
    arrival('kept', { receivedAt: 1 }),
  ]
  await inbox.commit(batch(events))
  expect(await inbox.backlog()).toEqual({ waiting: 4, oldestAt: 3000 })
  await inbox.commit(batch([], { forwards: [result(1, 'delivered'), result(2, 'retrying')] }))
  expect(await inbox.backlog()).toEqual({ waiting: 3, oldestAt: 4000 })
  await inbox.commit(batch([], { forwards: [result(2, 'dead'), result(3, 'delivered')] }))
  expect(await inbox.backlog()).toEqual({ waiting: 1, oldestAt: 6000 })
})
