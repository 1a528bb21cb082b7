import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../../test/kit/harness.ts'
import { createDatabase, type TestDatabase } from '../../../test/kit/postgres.ts'
import { planOf } from '../../../test/kit/postgres-plan.ts'
import { startHandler } from '../../../test/receiver/handler.ts'
import { arrival, batch, fates, result } from '../../../test/receiver/inbox-kit.ts'
import { deliver, ON_LOOPBACK, until } from '../../../test/receiver/listener.ts'
import { createNetwork } from '../../client/network.ts'
import { startEmitter } from '../emitter.ts'
import type { Inbox, News } from '../inbox.ts'
import { type ReceiverOptions, startReceiver } from '../receiver.ts'
import { openPostgresInbox } from './inbox.ts'
import { SELECT_EVENTS } from './reader.ts'
import { LOCKS } from './schema.ts'

interface Receiver {
  inbox: Inbox
  news: News[]
  notices: string[]
}

let database: TestDatabase
const opened: Inbox[] = []
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(async () => {
  for (const inbox of opened.splice(0)) await inbox.close()
  await database[Symbol.asyncDispose]()
})

/** One of the receivers that share the inbox. */
async function join(address = ''): Promise<Receiver> {
  const notices: string[] = []
  const news: News[] = []
  const inbox = await openPostgresInbox(planOf(database.url), (text) => notices.push(text))
  opened.push(inbox)
  inbox.watch((each) => news.push(each), failTest)
  await inbox.claim({ pid: 1, address })
  return { inbox, news, notices }
}

async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

const failTest = (error: unknown) => expect.fail(String(error))

/** Cuts the connection with which a receiver writes, as a crash of the receiver or of the network would do. */
const cut = (address: string) =>
  sql(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN bnpl_inbox.receivers r ON r.id::bigint = l.objid::bigint
     WHERE l.locktype = 'advisory' AND l.classid = ${LOCKS.receiver} AND r.address = $1
     AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [address],
  )
const ids = async ({ inbox }: Receiver, place = 0) => (await inbox.emittable(place, 100)).map(({ eventId }) => eventId)

test('of two receivers with the same events, one stores each, and the other reports a duplicate', async () => {
  const [a, b] = [await join(), await join()]
  const events = Array.from({ length: 40 }, (_, i) => arrival(`e${i}`, { forward: true }))
  const [ofA, ofB] = await Promise.all([fates(a.inbox, ...events), fates(b.inbox, ...events.toReversed())])
  const pairs = ofA.map((fate, i) => [fate, ofB.at(-1 - i)].sort().join(' '))
  expect(new Set(pairs)).toEqual(new Set(['duplicate new']))
  expect((await ids(a)).length + (await ids(b)).length).toBe(40)
  expect(await a.inbox.backlog()).toMatchObject({ waiting: 40 })
})

test('another body of an event is a variant, whichever receiver had the first', async () => {
  const [a, b] = [await join(), await join()]
  const other = arrival('e1', { body: Buffer.from('other') })
  const both = [...(await Promise.all([fates(a.inbox, arrival('e1')), fates(b.inbox, other)]))].flat()
  expect(both.sort()).toEqual(['new', 'variant'])
  expect(await fates(b.inbox, arrival('e1'), other)).toEqual(['duplicate', 'duplicate'])
})

test('only one receiver forwards for a destination, until this receiver releases it or loses its connection', async () => {
  const [a, b] = [await join('a'), await join('b')]
  await a.inbox.commit(batch([arrival('e1', { forward: true })]))
  expect(await a.inbox.take('/webhooks')).toBe(true)
  expect(await b.inbox.take('/webhooks')).toBe(false)
  await a.inbox.release('/webhooks')
  expect(await b.inbox.take('/webhooks')).toBe(true)
  expect(await a.inbox.take('/webhooks')).toBe(false)
  await cut('b')
  await until(() => a.inbox.take('/webhooks'))
  await until(() => b.news.includes('lost'))
  expect(b.inbox.holds('/webhooks')).toBe(false)
})

test('another receiver takes over the events that a dead one had not written out, once and in order', async () => {
  const [a, b] = [await join('a'), await join('b')]
  await a.inbox.commit(batch([arrival('e1'), arrival('e2'), arrival('e3')]))
  await a.inbox.commit(batch([], { emittedUpTo: 1 }))
  await b.inbox.commit(batch([arrival('e4')]))
  expect(await ids(b)).toEqual(['e4'])
  await a.inbox.close()
  opened.shift()
  await until(async () => (await ids(b)).length === 3)
  expect(await ids(b)).toEqual(['e4', 'e2', 'e3'])
  // The places of these events follow all places that were printed before, so the mark of how far events were printed stays correct.
  const places = (await b.inbox.emittable(0, 9)).map(({ place }) => place)
  expect(places).toEqual(places.toSorted((x, y) => x - y))
  expect(await sql('SELECT address FROM bnpl_inbox.receivers')).toEqual([{ address: 'b' }])
})

test('events that are taken over while others are stored are also written out', async () => {
  const [a, b] = [await join('a'), await join('b')]
  await a.inbox.commit(batch([arrival('e1'), arrival('e2')]))
  const written: string[] = []
  const emitter = await startEmitter({
    inbox: b.inbox,
    emit: async (events) => {
      written.push(...events.map(({ eventId }) => String(eventId)))
      return { taken: events.length, more: true }
    },
    emitted: () => {},
    onUnread: () => {},
    onFailure: (error) => expect.fail(String(error)),
  })
  b.inbox.watch((news) => news === 'more' && emitter.look(), failTest)
  await a.inbox.close()
  opened.shift()
  let i = 0
  // Store events without a pause, so that an event is always being stored during the takeover.
  const deadline = performance.now() + 30_000
  while (!written.includes('e1') && performance.now() < deadline) {
    const [recorded] = await b.inbox.commit(batch([arrival(`b${i}`)]))
    emitter.add({
      ...arrival(`b${i++}`),
      seq: recorded?.seq ?? 0,
      place: recorded?.seq ?? 0,
      session: recorded?.session,
      fate: 'new',
      variantOf: null,
      confirmation: null,
      forwarding: null,
    })
  }
  await emitter.stop(5000)
  expect(written.filter((id) => id.startsWith('e'))).toEqual(['e1', 'e2'])
  expect(written.filter((id) => id.startsWith('b'))).toEqual(Array.from({ length: i }, (_, n) => `b${n}`))
})

/** Starts a receiver on an inbox, and returns it with the ids of the events that it prints. */
async function printing(inbox: Inbox, more: Pick<ReceiverOptions, 'forward'> = { forward: undefined }) {
  const written: (string | null)[] = []
  const receiver = await startReceiver({
    ...ON_LOOPBACK,
    observe: () => {},
    onError: failTest,
    inbox,
    emit: async (events) => {
      written.push(...events.map(({ eventId }) => eventId))
      return { taken: events.length, more: true }
    },
    ...more,
  })
  return { receiver, written }
}

test('a receiver reconnects by itself and does not write out the last events again', async () => {
  const a = await join('a')
  await a.inbox.commit(batch([arrival('e1'), arrival('e2')]))
  const { receiver, written } = await printing(a.inbox)
  await until(() => written.length > 0)
  await cut('a')
  await until(() => a.notices.join().includes('is back'))
  expect(await retried(() => fates(a.inbox, arrival('e3')))).toEqual(['new'])
  await until(() => written.includes('e3'))
  expect(written).toEqual(['e1', 'e2', 'e3'])
  expect(a.notices).toEqual([expect.stringContaining('503'), expect.stringContaining('is back')])
  expect(a.notices.join()).not.toContain('postgres://')
  await receiver.close(0)
})

/** Makes the database what it was before these events, as a standby that lagged behind does when it takes over. */
async function goBack(address: string): Promise<void> {
  await sql(`DELETE FROM bnpl_inbox.forwards; DELETE FROM bnpl_inbox.events; DELETE FROM bnpl_inbox.seen;
    DELETE FROM bnpl_inbox.destinations; SELECT setval('bnpl_inbox.event_numbers', 1, false)`)
  await cut(address)
}

test('after a standby took over that lagged behind, new events are printed and forwarded, and old results change none', async () => {
  const a = await join('a')
  const handler = await startHandler()
  const { receiver, written } = await printing(a.inbox, {
    forward: {
      target: {
        url: handler.url,
        transport: createNetwork({ env: {} }).transport,
        clock: realClock,
        timeoutMs: 5000,
        userAgent: 'test',
      },
      retry: { attempts: 8, baseMs: 50, capMs: 500 },
      random: () => 0.5,
      onResult: () => {},
    },
  })
  const listener = { url: `http://127.0.0.1:${receiver.port}/webhooks` }
  for (const eventId of ['old-1', 'old-2', 'old-3']) expect((await deliver(listener, { eventId })).status).toBe(200)
  await until(() => written.length === 3 && handler.ids().length === 3)
  await goBack('a')
  await until(() => a.notices.join().includes('is back'))
  await retried(async () => expect((await deliver(listener, { eventId: 'new-1' })).status).toBe(200))
  // The result of an attempt that began before.
  await a.inbox.commit(batch([], { forwards: [result(1, 'delivered', 17)] }))
  expect((await deliver(listener, { eventId: 'new-2' })).status).toBe(200)
  await until(() => written.length === 5 && handler.ids().length === 5)
  expect([written.slice(3), handler.ids().slice(3)]).toEqual([
    ['new-1', 'new-2'],
    ['new-1', 'new-2'],
  ])
  await receiver.close(0)
  await handler.stop()
  expect(
    await sql('SELECT emitted_up_to <= (SELECT max(place) FROM bnpl_inbox.events) AS ok FROM bnpl_inbox.receivers'),
  ).toEqual([{ ok: true }])
})

test('a result of another event with the same number is not stored', async () => {
  const { inbox } = await join()
  await inbox.commit(batch([arrival('e1', { forward: true, receivedAt: 2000 })]))
  await inbox.commit(batch([], { forwards: [result(1, 'delivered', 1000)] }))
  expect(await inbox.find({ state: 'waiting', limit: 9 })).toMatchObject([{ eventId: 'e1' }])
  await inbox.commit(batch([], { forwards: [result(1, 'delivered', 2000)] }))
  expect(await inbox.find({ state: 'delivered', limit: 9 })).toMatchObject([{ eventId: 'e1' }])
})

test('other receivers are notified of events to forward', async () => {
  const [a, b] = [await join(), await join()]
  await a.inbox.commit(batch([arrival('e1', { forward: true })]))
  await a.inbox.take('/webhooks')
  a.news.length = 0
  await b.inbox.commit(batch([arrival('e2', { forward: true })]))
  await until(() => a.news.includes('more'))
  expect((await a.inbox.waiting('/webhooks', 99, 9)).map(({ eventId }) => eventId)).toEqual(['e1', 'e2'])
})

test('a late result does not change a settled event', async () => {
  const { inbox } = await join()
  await inbox.commit(batch([arrival('e1', { forward: true }), arrival('e2', { forward: true })]))
  await inbox.commit(batch([], { forwards: [result(1, 'delivered'), result(2, 'dead')] }))
  await inbox.commit(batch([], { forwards: [result(1, 'retrying'), result(2, 'retrying')] }))
  expect(await inbox.waitingDestinations()).toEqual([])
  // An event that was set aside becomes delivered when it is replayed.
  await inbox.commit(batch([], { forwards: [result(2, 'retrying'), result(2, 'delivered')] }))
  expect((await inbox.find({ state: 'delivered', limit: 9 })).map(({ seq }) => seq)).toEqual([2, 1])
})

test('events since a time are found by the index of times, however many older ones exist', async () => {
  const { inbox } = await join()
  const at = (id: string, receivedAt: number) => ({ ...arrival(id), receivedAt })
  // The clock was set back, so the event with the highest number is not the newest.
  await inbox.commit(batch([at('old', 1_000), at('new', 9_000), at('put-back', 5_000)]))
  const since = async (time: number) => (await inbox.find({ since: time, limit: 10 })).map(({ eventId }) => eventId)
  expect(await since(5_000)).toEqual(['new', 'put-back'])
  expect(await since(9_001)).toEqual([])
  await sql(`INSERT INTO bnpl_inbox.events (seq, destination, scheme, fate, body, received_at, receiver, place)
    SELECT 100 + i, 1, 'hmac', 'quarantined', '', i % 5000, 0, 100 + i FROM generate_series(1, 5000) i`)
  await sql('ANALYZE bnpl_inbox.events')
  const plan = await sql(
    `EXPLAIN ${SELECT_EVENTS} WHERE e.received_at >= 5000 ORDER BY e.received_at DESC, e.seq DESC LIMIT 10`,
  )
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toContain('events_by_time')
  expect(text).not.toContain('Seq Scan on events')
})

test('ids and bodies that a database cannot store as text are stored unchanged', async () => {
  const { inbox } = await join()
  const strange = ['nul\0', 'emoji 🧾', '{"a", \\ \'NULL\'}', 'NULL']
  const body = (eventId: string) => Buffer.from(JSON.stringify({ eventId, data: {} }))
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  await inbox.commit(
    batch([...strange.map((id) => arrival(id, { body: body(id) })), arrival('bytes', { body: bytes })]),
  )
  const found = (await inbox.emittable(0, 9)).map(({ eventId }) => eventId)
  expect(found).toEqual([...strange, 'bytes'])
  expect(await inbox.find({ eventId: 'nul\0', limit: 1 })).toMatchObject([{ eventId: 'nul\0' }])
  expect(Buffer.from((await inbox.find({ eventId: 'bytes', limit: 1 }))[0]?.body ?? [])).toEqual(bytes)
})

test('a commit waits for the disk, even if the server’s default is not to [row 68]', async () => {
  await sql(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = off`)
  const { inbox } = await join('a')
  // Only the connection itself knows its settings, so a trigger records them when the connection stores an event.
  await sql(`CREATE TABLE told (waits text); CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO public.told VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
    CREATE TRIGGER tell AFTER INSERT ON bnpl_inbox.events EXECUTE FUNCTION tell()`)
  await inbox.commit(batch([arrival('e1')]))
  expect(await sql('SELECT waits FROM told')).toEqual([{ waits: 'on' }])
})

async function retried<T>(work: () => Promise<T>): Promise<T> {
  let value: T | undefined
  await until(async () => {
    value = await work().catch(() => undefined)
    return value !== undefined
  })
  return value as T
}

test('a row with an invalid header value or an unreadable confirmation does not stop forwarding [attack 25]', async () => {
  const a = await join('a')
  const events = ['odd', 'after'].map((id) => arrival(id, { forward: true }))
  await a.inbox.commit(batch(events))
  await sql(`UPDATE bnpl_inbox.events SET content_type = E'application/json\\r\\nx: 1' WHERE event_id = 'odd'`)
  await sql(`INSERT INTO bnpl_inbox.confirmations SELECT seq, false, 'no JSON', 0 FROM bnpl_inbox.events`)
  const network = createNetwork({ env: {} })
  const handler = await startHandler()
  const results: (string | null)[] = []
  const receiver = await startReceiver({
    ...ON_LOOPBACK,
    observe: () => {},
    onError: failTest,
    inbox: a.inbox,
    emit: async (given) => ({ taken: given.length, more: true }),
    forward: {
      target: {
        url: handler.url,
        transport: network.transport,
        clock: realClock,
        timeoutMs: 5000,
        userAgent: 'test',
      },
      retry: { attempts: 2, baseMs: 1, capMs: 1 },
      random: () => 0.5,
      onResult: (event, { state, error }) => results.push(`${event.eventId} ${state} ${error}`),
    },
  })
  await until(() => handler.ids().includes('after'))
  const why = 'the event’s content-type contains a character that is not allowed in a header'
  expect(results.slice(0, 2)).toEqual([`odd retrying ${why}`, `odd dead ${why}`])
  expect(handler.ids()).toEqual(['after'])
  await receiver.close(0)
  await network.close()
  await handler.stop()
})

test('a destination that an earlier version stored without an account is returned for any account, once', async () => {
  const earlier = { id: 'd0', url: 'https://shop.example/hook' }
  const storeEarlier = () =>
    sql(`INSERT INTO bnpl_inbox.facts (name, value) VALUES ('own_destination', $1)`, [JSON.stringify(earlier)])
  const { inbox } = await join()
  await storeEarlier()
  expect(await inbox.ownDestination('acme')).toEqual(earlier)
  await inbox.setOwnDestination('acme', { ...earlier, id: 'd1' })
  expect(await inbox.ownDestination('acme')).toMatchObject({ id: 'd1' })
  expect(await inbox.ownDestination('other')).toBeUndefined()
  await storeEarlier()
  await inbox.setOwnDestination('other', undefined)
  expect(await inbox.ownDestination('other')).toBeUndefined()
})
