import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startFakePooler } from '../../../test/kit/fake-pooler.ts'
import { lastingPort } from '../../../test/kit/lasting-port.ts'
import { createDatabase, type TestDatabase } from '../../../test/kit/postgres.ts'
import { planOf } from '../../../test/kit/postgres-plan.ts'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import { until } from '../../../test/receiver/listener.ts'
import type { Inbox, News } from '../inbox.ts'
import { openPostgresInbox } from './inbox.ts'

let database: TestDatabase
/** A separate connection to the database. */
let client: Client
const opened: Inbox[] = []
beforeEach(async () => {
  // A receiver looks every second for the events of receivers that ended. Here it looks when a test moves this clock. `expect.poll` moves
  // the clock too.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  database = await createDatabase()
  client = new Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
  await sql(UNHURRIED)
})
afterEach(async () => {
  vi.useRealTimers()
  await client.end()
  for (const inbox of opened.splice(0)) await inbox.close()
  await database[Symbol.asyncDispose]()
})

const sql = async (text: string): Promise<Record<string, unknown>[]> => (await client.query(text)).rows
const SECOND_MS = 1000

/** Keeps the server from ending a session after five seconds of silence. On a busy machine, a session can be silent for that long here. */
const UNHURRIED = `CREATE SCHEMA played;
  CREATE FUNCTION played.set_config(name text, value text, is_local boolean) RETURNS text LANGUAGE sql AS
    $$ SELECT CASE name WHEN 'idle_session_timeout' THEN '0' ELSE pg_catalog.set_config(name, value, is_local) END $$;
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = played, pg_catalog, public', current_database()); END $$`

/** An inbox and everything that it reports, in one list. @param url the address of the database, or of a door to it */
async function open(url = database.url) {
  const told: string[] = []
  const faults: unknown[] = []
  const inbox = await openPostgresInbox(planOf(url), (notice) => told.push(notice))
  opened.push(inbox)
  inbox.watch(
    (news: News) => told.push(news),
    (error) => faults.push(error),
  )
  return { inbox, told, faults }
}

/** An inbox of a process that receives, and everything that it reports. */
async function receive(url?: string) {
  const made = await open(url)
  await made.inbox.claim({ pid: 4711, address: '' })
  return made
}

const idsIn = async (inbox: Inbox) => (await inbox.emittable(0, 9)).map(({ eventId }) => eventId)

test('a receiver reports each notification of another receiver at once as news', async () => {
  const { told } = await receive()
  expect(told).toEqual([])
  await sql('NOTIFY bnpl_inbox')
  await until(() => told.length > 0)
  await sql('NOTIFY other')
  await sql('NOTIFY bnpl_inbox')
  await until(() => told.length > 1)
  expect(told).toEqual(['more', 'more'])
})

test('a receiver looks every second for events of dead receivers, reports each takeover, and stops at its close', async () => {
  const dead = await receive()
  const { inbox, told } = await receive()
  await dead.inbox.commit(batch([arrival('e1')]))
  await dead.inbox.close()
  opened.shift()
  const receivers = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bnpl receiver'`
  await until(async () => (await sql(receivers)).length === 1)
  vi.advanceTimersByTime(SECOND_MS - 1)
  expect([told, await idsIn(inbox)]).toEqual([[], []])
  vi.advanceTimersByTime(1)
  // The first report is for the events that were taken over, and the second is made after every look.
  await until(() => told.length === 2)
  expect([told, await idsIn(inbox)]).toEqual([['more', 'more'], ['e1']])
  vi.advanceTimersByTime(SECOND_MS)
  await until(() => told.length === 3)
  await inbox.close()
  opened.length = 0
  expect(vi.getTimerCount()).toBe(0)
})

test('a failed look for dead receivers is no fault, and reports that there may be more events', async () => {
  const { told, faults } = await receive()
  await sql('ALTER TABLE bnpl_inbox.receivers RENAME TO hidden')
  vi.advanceTimersByTime(SECOND_MS)
  await until(() => told.length === 2)
  expect([told, faults]).toEqual([['more', 'more'], []])
})

test('a pooler that does not keep sessions is refused when a receiver starts', async () => {
  await using pooler = await startFakePooler(Number(new URL(database.url).port), nameOf(database.url))
  const { inbox, faults } = await open(through(pooler.port))
  await expect(inbox.claim({ pid: 1, address: '' })).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_POOLER' })
  expect(faults).toEqual([])
})

test('a pooler that stops keeping sessions is reported as a fault', async () => {
  await using pooler = await startFakePooler(Number(new URL(database.url).port), nameOf(database.url))
  pooler.favourReceiver(true)
  const { faults } = await receive(through(pooler.port))
  pooler.favourReceiver(false)
  await expect
    .poll(() => {
      vi.advanceTimersByTime(SECOND_MS)
      return faults[0]
    })
    .toMatchObject({ kind: 'config', code: 'DATABASE_POOLER' })
})

test('a write that is refused because the database became read-only loses the session, and another one is opened', async () => {
  const { inbox, told } = await receive()
  const [before] = await sql('SELECT id FROM bnpl_inbox.receivers')
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'cannot execute INSERT in a read-only transaction' USING ERRCODE = '25006'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON bnpl_inbox.events EXECUTE FUNCTION refuse()`)
  await expect(inbox.commit(batch([arrival('e1')]))).rejects.toMatchObject({ code: 'DATABASE_READ_ONLY' })
  await sql('DROP TRIGGER refuse ON bnpl_inbox.events')
  await until(() => told.some((each) => each.includes('is back after')))
  expect(told.filter((each) => each.includes('NO DELIVERY IS STORED'))).toEqual([
    expect.stringMatching(/^the database .* is read-only, so it may be a standby: NO DELIVERY IS STORED/),
  ])
  expect(await inbox.commit(batch([arrival('e1')]))).toMatchObject([{ fate: 'new' }])
  const [after] = await sql('SELECT max(id) AS id FROM bnpl_inbox.receivers')
  expect(Number(after?.id)).toBeGreaterThan(Number(before?.id))
})

/**
 * A door to the database that can be shut. Then connections through it are cut, and no new connection is accepted until it is opened again.
 */
async function door() {
  const [port, to] = [await lastingPort(), Number(new URL(database.url).port)]
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((from) => {
    const on = keep(connect(to, '127.0.0.1'))
    keep(from).pipe(on).pipe(from)
  })
  const shut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const openAgain = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await openAgain()
  onTestFinished(async () => {
    if (server.listening) await shut()
  })
  return { port, shut, open: openAgain }
}

test('while the database is away each write fails with the reason, and the return is reported with the time away', async () => {
  const way = await door()
  const { inbox, told, faults } = await receive(through(way.port))
  const shutAt = performance.now()
  await way.shut()
  await until(() => told.length === 2)
  expect(told).toEqual([expect.stringMatching(/^the database .*NO DELIVERY IS STORED/), 'lost'])
  // The error first says why the session was lost, and later why no new session can be opened.
  const refusal = () => inbox.commit(batch([arrival('e1')])).catch((error: unknown) => error as Error)
  await until(async () =>
    /^the database .* cannot be reached: nothing answers at the address$/.test(
      String(Reflect.get(await refusal(), 'message')),
    ),
  )
  expect(await refusal()).toMatchObject({ kind: 'network', code: 'DATABASE_UNREACHABLE' })
  told.length = 0
  await way.open()
  await until(() => told.length === 2)
  expect(told).toEqual([expect.stringContaining('is back after'), 'more'])
  const [, seconds] = /is back after (\d+) s, and new deliveries are being stored$/.exec(told[0] ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(0)
  expect(Number(seconds)).toBeLessThanOrEqual(Math.ceil((performance.now() - shutAt) / 1000))
  expect(await inbox.commit(batch([arrival('e1')]))).toMatchObject([{ fate: 'new' }])
  expect(faults).toEqual([])
})

const nameOf = (url: string) => new URL(url).pathname.slice(1)
const through = (port: number) => database.url.replace(/:\d+\//, `:${port}/`)
