import { Client } from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/kit/postgres.ts'
import { planOf } from '../../../test/kit/postgres-plan.ts'
import { arrival, batch } from '../../../test/receiver/inbox-kit.ts'
import type { Inbox, News } from '../inbox.ts'
import { openPostgresInbox } from './inbox.ts'
import { LOCKS } from './schema.ts'
import { inTurn, queriesOf } from './session.ts'

let database: TestDatabase
let name: string
const opened: Inbox[] = []
beforeEach(async () => {
  database = await createDatabase()
  name = new URL(database.url).pathname.slice(1)
})
afterEach(async () => {
  for (const inbox of opened.splice(0)) await inbox.close()
  await database[Symbol.asyncDispose]()
})

async function sql(text: string, values: unknown[] = [], url = database.url): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
/** Runs SQL on the server through another database. */
const outside = (text: string) => sql(text, [], database.url.replace(/[^/]+$/, 'postgres'))

/** An inbox, and everything that it reports. */
async function open() {
  const notices: string[] = []
  const news: News[] = []
  const faults: unknown[] = []
  const inbox = await openPostgresInbox(planOf(database.url), (text) => notices.push(text))
  opened.push(inbox)
  inbox.watch(
    (each) => news.push(each),
    (error) => faults.push(error),
  )
  return { inbox, notices, news, faults }
}

/** An inbox of a process that receives, and everything that it reports. */
async function receive(address = '127.0.0.1:4556', pid = 4711) {
  const made = await open()
  await made.inbox.claim({ pid, address })
  return made
}

const cut = () =>
  sql(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${LOCKS.receiver}
     AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )

const ready = (work: () => Promise<unknown>) =>
  expect
    .poll(() =>
      work()
        .then(() => true)
        .catch(() => false),
    )
    .toBe(true)

test('a receiver is in the table with its process and its address until it ends', async () => {
  const a = await receive()
  await receive('', 4712)
  expect(await sql('SELECT pid, address FROM bnpl_inbox.receivers ORDER BY id')).toEqual([
    { pid: 4711, address: '127.0.0.1:4556' },
    { pid: 4712, address: '' },
  ])
  await a.inbox.close()
  opened.splice(opened.indexOf(a.inbox), 1)
  await expect.poll(() => sql('SELECT pid FROM bnpl_inbox.receivers')).toEqual([{ pid: 4712 }])
})

test('a receiver sets its own session settings, whatever the defaults of the server are', async () => {
  await outside(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`)
  const { inbox } = await receive()
  const settings = [
    'synchronous_commit',
    'transaction_isolation',
    'statement_timeout',
    'idle_session_timeout',
    'tcp_keepalives_idle',
    'tcp_keepalives_interval',
    'tcp_keepalives_count',
    'tcp_user_timeout',
    'application_name',
  ]
  await sql(`CREATE TABLE told (name text, value text); CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO public.told SELECT n, current_setting(n) FROM unnest('{${settings}}'::text[]) n; RETURN NULL; END $$;
    CREATE TRIGGER tell AFTER INSERT ON bnpl_inbox.events EXECUTE FUNCTION tell()`)
  await inbox.commit(batch([arrival('e1')]))
  const told = Object.fromEntries((await sql('SELECT name, value FROM told')).map((row) => [row.name, row.value]))
  expect(told).toEqual({
    synchronous_commit: 'on',
    transaction_isolation: 'read committed',
    statement_timeout: '2s',
    idle_session_timeout: '5s',
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    tcp_user_timeout: expect.stringMatching(/^25(s|000)$/),
    application_name: 'bnpl receiver',
  })
})

test('an inbox without a receiver stores and reads events, and holds no lock', async () => {
  const { inbox } = await open()
  const [recorded] = await inbox.commit(batch([arrival('e1')]))
  expect(recorded).toEqual({ fate: 'new', seq: 1 })
  expect([inbox.holds(), inbox.holds('/webhooks')]).toEqual([false, false])
  expect((await inbox.emittable(0, 9)).map(({ eventId }) => eventId)).toEqual(['e1'])
  await expect(inbox.take('/webhooks')).rejects.toThrow('no receiver has claimed this inbox')
  await expect(inbox.probe()).rejects.toThrow('no receiver has claimed this inbox')
})

test('a receiver holds a destination after take, and no longer after release', async () => {
  const { inbox } = await receive()
  await inbox.commit(batch([arrival('e1')]))
  expect([inbox.holds(), inbox.holds('/webhooks')]).toEqual([true, false])
  expect(await inbox.take('/webhooks')).toBe(true)
  expect(await inbox.take('/webhooks')).toBe(true)
  expect(inbox.holds('/webhooks')).toBe(true)
  const locks = () =>
    sql(`SELECT count(*)::integer AS n FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS.destination}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
  expect(await locks()).toEqual([{ n: 1 }])
  // Releasing a destination that is not reserved has no effect.
  for (let times = 0; times < 2; times++) {
    await inbox.release('/webhooks')
    expect([inbox.holds('/webhooks'), await locks()]).toEqual([false, [{ n: 0 }]])
  }
  expect(await inbox.take('/not-known')).toBe(false)
})

test('a destination is released even while its table is locked', async () => {
  const [a, b] = [await receive('a'), await receive('b', 4712)]
  await a.inbox.commit(batch([arrival('e1')]))
  expect(await a.inbox.take('/webhooks')).toBe(true)
  const other = new Client({ connectionString: database.url })
  await other.connect()
  await other.query('BEGIN; LOCK TABLE bnpl_inbox.destinations IN ACCESS EXCLUSIVE MODE')
  await a.inbox.release('/webhooks')
  await other.query('COMMIT')
  await other.end()
  expect([a.inbox.holds('/webhooks'), await b.inbox.take('/webhooks')]).toEqual([false, true])
})

test('a probe writes into the database, and adds no event', async () => {
  const { inbox } = await receive()
  const probed = async () => (await sql(`SELECT value FROM bnpl_inbox.facts WHERE name = 'probe'`))[0]?.value
  expect(await inbox.probe()).toBeUndefined()
  const first = await probed()
  await inbox.probe()
  expect(await probed()).not.toBe(first)
  expect(await inbox.find({ limit: 9 })).toEqual([])
})

test('the mark of emitted events never decreases, and is stored in the row of the receiver', async () => {
  const { inbox } = await receive()
  expect(await inbox.emittedUpTo()).toBe(0)
  await inbox.commit(batch([arrival('e1'), arrival('e2')], { emittedUpTo: 5 }))
  await inbox.commit(batch([], { emittedUpTo: 3 }))
  await inbox.commit(batch([arrival('e3')]))
  expect(await inbox.emittedUpTo()).toBe(5)
  expect(await sql('SELECT emitted_up_to FROM bnpl_inbox.receivers')).toEqual([{ emitted_up_to: '5' }])
})

test('places and marks of a lost session count only for its own events', async () => {
  const { inbox, notices } = await receive()
  const [before] = await inbox.commit(batch([arrival('e1'), arrival('e2')]))
  await cut()
  await expect.poll(() => notices.length).toBe(2)
  const [after] = await inbox.commit(batch([arrival('e3')], { emittedUpTo: 99, emittedIn: before?.session }))
  expect([before?.session, after?.session]).toEqual([1, 2])
  expect(await inbox.emittedUpTo()).toBe(0)
  expect(await sql('SELECT emitted_up_to FROM bnpl_inbox.receivers')).toEqual([{ emitted_up_to: '0' }])
  const ids = async (...of: Parameters<Inbox['emittable']>) =>
    (await inbox.emittable(...of)).map(({ eventId }) => eventId)
  expect([await ids(99, 9, 1), await ids(99, 9, 2), await ids(0, 9, 2)]).toEqual([
    ['e1', 'e2', 'e3'],
    [],
    ['e1', 'e2', 'e3'],
  ])
})

test('while the database is away, writes fail and no lock is held, and loss and return are each reported once', async () => {
  const { inbox, notices, news, faults } = await receive()
  await inbox.commit(batch([arrival('e1')]))
  await inbox.take('/webhooks')
  await outside(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  news.length = 0
  await outside(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  await expect.poll(() => notices.length).toBe(1)
  expect(notices[0]).toMatch(
    /^the database .*\S (cut the connection|is starting or stopping, or cancelled the query): NO DELIVERY IS STORED. Every delivery is answered with 503 until the database is back$/,
  )
  expect(news).toContain('lost')
  expect([inbox.holds(), inbox.holds('/webhooks')]).toEqual([false, false])
  await expect(inbox.commit(batch([arrival('e2')]))).rejects.toMatchObject({ kind: 'network' })
  await expect(inbox.emittable(0, 9)).rejects.toMatchObject({ kind: 'network' })
  news.length = 0
  await outside(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  await expect.poll(() => notices.length).toBe(2)
  expect(notices[1]).toMatch(/^the database .* is back after \d+ s, and new deliveries are being stored$/)
  expect(news).toContain('more')
  await ready(() => inbox.commit(batch([arrival('e2')])))
  expect([inbox.holds(), inbox.holds('/webhooks')]).toEqual([true, false])
  expect(faults).toEqual([])
})

test('a receiver that ends while its database is away ends at once', async () => {
  const { inbox, notices } = await receive()
  await outside(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await outside(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  await expect.poll(() => notices.length).toBe(1)
  await inbox.close()
  opened.splice(0)
  await outside(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  expect(notices).toHaveLength(1)
})

test('a statement that the server refuses is a configuration error, and the session is kept', async () => {
  const { inbox, notices, news } = await receive()
  await inbox.commit(batch([arrival('e1')]))
  const [before] = await sql('SELECT id FROM bnpl_inbox.receivers')
  await sql('ALTER TABLE bnpl_inbox.events RENAME TO hidden')
  news.length = 0
  await expect(inbox.commit(batch([arrival('e2')]))).rejects.toMatchObject({
    kind: 'config',
    code: 'DATABASE_UNUSABLE',
  })
  expect(news).toContain('more')
  await sql('ALTER TABLE bnpl_inbox.hidden RENAME TO events')
  expect(await inbox.commit(batch([arrival('e2')]))).toMatchObject([{ fate: 'new' }])
  expect(await sql('SELECT id FROM bnpl_inbox.receivers')).toEqual([before])
  expect(notices).toEqual([])
})

test('a receiver stores events again after its database was read-only for a while', async () => {
  const { inbox, notices } = await receive()
  await outside(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await cut()
  await expect.poll(() => notices.length).toBeGreaterThan(0)
  await outside(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  await expect.poll(() => notices.some((each) => each.includes('is back'))).toBe(true)
  await ready(() => inbox.commit(batch([arrival('e1')])))
})

test('other receivers are notified of a new event to forward, unless this receiver forwards for its destination', async () => {
  const { inbox } = await receive()
  const listener = new Client({ connectionString: database.url })
  listener.on('error', () => {})
  await listener.connect()
  onTestFinished(() => listener.end())
  const heard: string[] = []
  listener.on('notification', ({ channel }) => heard.push(channel))
  await listener.query('LISTEN bnpl_inbox')
  /** Waits longer than a notification is delayed. */
  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    await listener.query('SELECT 1')
  }
  await inbox.commit(batch([arrival('kept')]))
  await settle()
  expect(heard).toEqual([])
  await inbox.commit(batch([arrival('e1', { forward: true }), arrival('e2', { forward: true }), arrival('kept-too')]))
  await expect.poll(() => heard).toEqual(['bnpl_inbox'])
  await inbox.commit(batch([arrival('e2', { forward: true })]))
  await settle()
  expect(heard).toHaveLength(1)
  await inbox.commit(batch([arrival('e3', { forward: true })]))
  await expect.poll(() => heard).toHaveLength(2)
  await inbox.take('/webhooks')
  await inbox.commit(batch([arrival('e4', { forward: true })]))
  await settle()
  expect(heard).toHaveLength(2)
})

test('calls run one after the other in order, and a failed call does not block the next call', async () => {
  const log: string[] = []
  const gates = new Map<string, PromiseWithResolvers<string>>()
  const work = inTurn((of: string) => {
    log.push(of)
    const gate = Promise.withResolvers<string>()
    gates.set(of, gate)
    return gate.promise
  })
  const [a, b, c] = [work('a'), work('b'), work('c')]
  await new Promise(setImmediate)
  expect(log).toEqual(['a'])
  gates.get('a')?.reject(new Error('no'))
  await expect(a).rejects.toThrow('no')
  await new Promise(setImmediate)
  expect(log).toEqual(['a', 'b'])
  gates.get('b')?.resolve('done')
  expect(await b).toBe('done')
  await new Promise(setImmediate)
  gates.get('c')?.resolve('too')
  expect(await c).toBe('too')
})

test('a query is passed on as text with values, or as a prepared statement', async () => {
  const given: unknown[][] = []
  const query = queriesOf({
    query: async (...args: unknown[]) => {
      given.push(args)
      return { rows: [] } as never
    },
  })
  const prepared = { name: 'n', text: 'SELECT 2', values: [] }
  await query('SELECT $1', [1])
  await query(prepared)
  expect(given).toEqual([['SELECT $1', [1]], [prepared]])
})
