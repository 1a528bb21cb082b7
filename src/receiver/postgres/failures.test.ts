import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/kit/postgres.ts'
import { planOf } from '../../../test/kit/postgres-plan.ts'
import { arrival, batch, result } from '../../../test/receiver/inbox-kit.ts'
import type { Inbox, News } from '../inbox.ts'
import { openPostgresInbox } from './inbox.ts'

let database: TestDatabase
let name: string
/** A separate connection to the database, for changes that a receiver does not make. */
let client: Client
const opened: Inbox[] = []
beforeEach(async () => {
  database = await createDatabase()
  name = new URL(database.url).pathname.slice(1)
  client = new Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await client.end()
  for (const inbox of opened.splice(0)) await inbox.close()
  await database[Symbol.asyncDispose]()
})

const sql = async (text: string): Promise<Record<string, unknown>[]> => (await client.query(text)).rows
/** How many connections of this kind exist. */
const connections = async (application: string) =>
  (await sql(`SELECT FROM pg_stat_activity WHERE datname = '${name}' AND application_name = '${application}'`)).length

async function open() {
  const news: News[] = []
  const faults: unknown[] = []
  const inbox = await openPostgresInbox(planOf(database.url), () => {})
  opened.push(inbox)
  inbox.watch(
    (each) => news.push(each),
    (error) => faults.push(error),
  )
  return { inbox, news, faults }
}

async function receive() {
  const made = await open()
  await made.inbox.claim({ pid: 4711, address: '' })
  return made
}

const AWAY = () => ({
  kind: 'network',
  code: 'DATABASE_LOST',
  message: expect.stringMatching(/^the database .* cannot be reached$/),
})

test('after its close a receiver stores nothing, holds no lock and has no connection', async () => {
  const { inbox, news } = await receive()
  expect([await connections('bnpl receiver'), await connections('bnpl inbox')]).toEqual([1, 1])
  await inbox.close()
  opened.length = 0
  news.length = 0
  await expect(inbox.commit(batch([arrival('e1')]))).rejects.toMatchObject(AWAY())
  await expect(inbox.probe()).rejects.toMatchObject(AWAY())
  expect(inbox.holds()).toBe(false)
  await expect.poll(() => connections('bnpl receiver')).toBe(0)
  await expect.poll(() => connections('bnpl inbox')).toBe(0)
  expect(news).toEqual([])
})

test('a fault in a write is reported as a fault, and the session is kept', async () => {
  const { inbox, faults } = await receive()
  const impossible = arrival('e1', { body: undefined as never })
  await expect(inbox.commit(batch([impossible]))).rejects.toBeInstanceOf(TypeError)
  expect(faults).toEqual([expect.any(TypeError)])
  expect(await inbox.commit(batch([arrival('e1')]))).toMatchObject([{ fate: 'new' }])
})

test('a write that the server refuses is thrown, and not reported as a fault', async () => {
  const { inbox, faults } = await receive()
  await sql('ALTER TABLE bnpl_inbox.events RENAME TO hidden')
  await expect(inbox.commit(batch([arrival('e1')]))).rejects.toMatchObject({ code: 'DATABASE_UNUSABLE' })
  expect(faults).toEqual([])
})

/** Makes the clock of the machine jump, as a process sees it that was suspended for a while. */
function jump(): void {
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000)
}

test('a receiver that was suspended for a while holds no lock until it asks the server', async () => {
  const { inbox } = await receive()
  await inbox.commit(batch([arrival('e1')]))
  await inbox.take('/webhooks')
  jump()
  expect([inbox.holds(), inbox.holds('/webhooks')]).toEqual([false, false])
  expect(await inbox.take('/webhooks')).toBe(true)
  expect([inbox.holds(), inbox.holds('/webhooks')]).toEqual([true, true])
})

test('a receiver that was suspended for a while asks the server before it reads events to write out', async () => {
  const { inbox } = await receive()
  await inbox.commit(batch([arrival('e1')]))
  jump()
  expect((await inbox.emittable(0, 9)).map(({ eventId }) => eventId)).toEqual(['e1'])
  expect(inbox.holds()).toBe(true)
})

test('reading events is a configuration error if the database is reachable but unusable', async () => {
  const { inbox } = await receive()
  await sql('ALTER TABLE bnpl_inbox.events RENAME TO hidden')
  await expect(inbox.emittable(0, 9)).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_UNUSABLE' })
})

test.each<[string, string, object]>([
  ['lacks a table', 'ALTER TABLE bnpl_inbox.receivers RENAME TO hidden', { kind: 'config', code: 'DATABASE_UNUSABLE' }],
  [
    'lacks the events of a receiver that is gone',
    `INSERT INTO bnpl_inbox.receivers (id, pid, address) VALUES (99, 1, ''); ALTER TABLE bnpl_inbox.events RENAME TO hidden`,
    { kind: 'config', code: 'DATABASE_UNUSABLE' },
  ],
])('a receiver does not start on a database that %s, and leaves no connection', async (_, spoil, error) => {
  const { inbox } = await open()
  await sql(spoil)
  await expect(inbox.claim({ pid: 1, address: '' })).rejects.toMatchObject(error)
  await expect.poll(() => connections('bnpl receiver')).toBe(0)
})

test('a receiver does not start on a standby', async () => {
  const { inbox } = await open()
  await sql(`CREATE SCHEMA played; CREATE FUNCTION played.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true';
    ALTER DATABASE ${name} SET search_path = played, pg_catalog`)
  await expect(inbox.claim({ pid: 1, address: '' })).rejects.toMatchObject({
    kind: 'config',
    code: 'DATABASE_READ_ONLY',
    message: expect.stringMatching(/^the database .* is read-only, so it may be a standby$/),
    hint: 'Use the address of the primary server.',
  })
  await expect.poll(() => connections('bnpl receiver')).toBe(0)
})

test('the error about an unusable database names the database, and no connection is left', async () => {
  await sql('CREATE SCHEMA bnpl_inbox; CREATE TABLE bnpl_inbox.destinations (other integer)')
  await expect(openPostgresInbox(planOf(database.url), () => {})).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining(name),
  })
  await expect.poll(() => connections('bnpl inbox')).toBe(0)
})

const READING: Record<string, (inbox: Inbox) => Promise<unknown>> = {
  storing: (inbox) => inbox.commit(batch([arrival('e1')])),
  'finding events': (inbox) => inbox.find({ limit: 1 }),
  'the destinations that wait': (inbox) => inbox.waitingDestinations(),
  'the events that wait': (inbox) => inbox.waiting('/webhooks', 0, 1),
  'the backlog': (inbox) => inbox.backlog(),
  'the own destination': (inbox) => inbox.ownDestination('acme'),
  'keeping the own destination': (inbox) => inbox.setOwnDestination('acme', { id: 'd', url: 'https://shop.example' }),
  'removing the own destination': (inbox) => inbox.setOwnDestination('acme', undefined),
  confirming: (inbox) => inbox.confirm(1, { agrees: true, differences: [], at: 1 }),
  pruning: (inbox) => inbox.prune(1),
}

test('every call to the inbox turns a failure of the server into a configuration error', async () => {
  const { inbox } = await open()
  await sql('DROP SCHEMA bnpl_inbox CASCADE')
  for (const [what, ask] of Object.entries(READING)) {
    const error = await ask(inbox).catch((thrown: unknown) => thrown)
    expect([what, error]).toMatchObject([what, { kind: 'config', code: 'DATABASE_UNUSABLE' }])
  }
})

test('pruning removes all old events, however many, with their results and confirmations', async () => {
  const { inbox } = await receive()
  const many = Array.from({ length: 1100 }, (_, i) => arrival(`e${i}`, { forward: i === 0 }))
  await inbox.commit(batch(many))
  const delivered = result(1, 'delivered')
  await inbox.commit(batch([], { emittedUpTo: 1100, forwards: [delivered] }))
  await inbox.confirm(1, { agrees: true, differences: [], at: 1 })
  expect(await inbox.prune(1000)).toBe(0)
  expect(await inbox.prune(1001)).toBe(1100)
  const counts = ['events', 'forwards', 'confirmations'].map(
    (table) => `(SELECT count(*)::integer FROM bnpl_inbox.${table}) AS ${table}`,
  )
  expect(await sql(`SELECT ${counts}`)).toEqual([{ events: 0, forwards: 0, confirmations: 0 }])
})
