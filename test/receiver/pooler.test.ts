import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startFakePooler } from '../kit/fake-pooler.ts'
import { createDatabase } from '../kit/postgres.ts'
import { cleanUp, startListener } from './listener.ts'

afterEach(cleanUp)

async function open(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  return client
}

async function pooled() {
  const database = await createDatabase()
  const direct = new URL(database.url)
  const pooler = await startFakePooler(Number(direct.port), direct.pathname.slice(1))
  const url = database.url.replace(`:${direct.port}/`, `:${pooler.port}/`)
  return {
    pooler,
    url,
    options: { env: { BNPL_DATABASE: url } },
    async [Symbol.asyncDispose]() {
      await pooler[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('a pooler that does not keep sessions is noticed at the start and refused (3), with what to set [database 3]', async () => {
  await using scene = await pooled()
  const listener = await startListener({ ...scene.options, args: ['--json'], unready: true })
  expect(await listener.ended).toBe(3)
  const lines = listener.stderr().trimEnd().split('\n')
  expect(lines.filter((line) => line.startsWith('error: '))).toEqual([
    expect.stringContaining('is behind a pooler that does not keep sessions'),
  ])
  expect(JSON.parse(lines.at(-1) ?? '').error).toMatchObject({
    code: 'DATABASE_POOLER',
    hint: expect.stringContaining('pool_mode = session'),
  })
  // The receiver has left no setting and no lock on the connections, which other clients get next.
  const others = await Promise.all(Array.from({ length: 4 }, () => open(scene.url)))
  for (const other of others) {
    await other.query('BEGIN')
    const { rows } = await other.query(`SELECT current_setting('statement_timeout') AS statement,
      (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`)
    expect(rows).toEqual([{ statement: '0', locks: 0 }])
  }
  await Promise.all(others.map((other) => other.end()))
})

test('a receiver ends with 3 when its pooler stops keeping sessions [database 3]', async () => {
  await using scene = await pooled()
  scene.pooler.favourReceiver(true)
  const listener = await startListener(scene.options)
  // The receiver notices this even if no event is delivered, so that no statement fails.
  scene.pooler.favourReceiver(false)
  expect(await listener.ended).toBe(3)
  await expect.poll(() => listener.stderr()).toContain('is behind a pooler that does not keep sessions')
})

test('an error of a pooler in statement mode is reported as DATABASE_POOLER [database 3]', async () => {
  const { databaseFailure } = await import('../../src/postgres/failure.ts')
  for (const [code, message] of [
    ['08P01', 'transaction blocks not allowed in statement pooling mode'],
    ['42P05', 'prepared statement "bnpl-store" already exists'],
    ['26000', 'prepared statement "bnpl-store" does not exist'],
  ])
    expect(databaseFailure('db/shop', Object.assign(new Error(message), { code }))).toMatchObject({
      kind: 'config',
      code: 'DATABASE_POOLER',
    })
})
