import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/kit/postgres.ts'
import { planOf } from '../../test/kit/postgres-plan.ts'
import { databaseFailure } from './failure.ts'
import { createConnection } from './pool.ts'
import { migrateSchema, type PostgresSchema } from './schema.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

async function client() {
  const made = createConnection(planOf(database.url), { application: 'test', statementMs: 10_000 })
  await made.connect()
  return { made, [Symbol.asyncDispose]: () => made.end() }
}

const up = async (plan: PostgresSchema) => {
  await using one = await client()
  await migrateSchema(one.made, plan, 'db')
}

test('when several processes migrate at once, each step runs only once', async () => {
  const plan = { schema: 'race', steps: ['CREATE TABLE one (n int)', 'CREATE TABLE two (n int)'] }
  await Promise.all(Array.from({ length: 8 }, () => up(plan)))
  // The steps that were already done are not repeated, and the new step is done.
  await up({ ...plan, steps: [...plan.steps, 'INSERT INTO one VALUES (7)'] })
  await using one = await client()
  expect((await one.made.query('SELECT n FROM race.one')).rows).toEqual([{ n: 7 }])
})

test('a failed step leaves no tables behind', async () => {
  await expect(up({ schema: 'half', steps: ['CREATE TABLE one (n int)', 'CREATE nonsense'] })).rejects.toThrow()
  await using one = await client()
  expect((await one.made.query(`SELECT to_regclass('half.schema_version') AS made`)).rows).toEqual([{ made: null }])
})

test('a schema of a newer version and a schema of another program are refused', async () => {
  await up({ schema: 'newer', steps: ['CREATE TABLE one (n int)', 'CREATE TABLE two (n int)'] })
  await expect(up({ schema: 'newer', steps: ['CREATE TABLE one (n int)'] })).rejects.toMatchObject({
    kind: 'config',
    code: 'STATE_NEWER',
    message: expect.stringContaining('tables have version 2; this bnpl knows versions up to 1'),
  })
  await using one = await client()
  await one.made.query('CREATE SCHEMA theirs; CREATE TABLE theirs.things (n int)')
  await expect(up({ schema: 'theirs', steps: ['CREATE TABLE one (n int)'] })).rejects.toMatchObject({
    code: 'STATE_FOREIGN',
  })
})

test('a database with an encoding that lacks characters is refused before the schema is created', async () => {
  await using one = await client()
  const name = `${new URL(database.url).pathname.slice(1)}_latin`
  await one.made.query(`CREATE DATABASE ${name} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`)
  try {
    const address = planOf(database.url.replace(/[^/]+$/, name))
    const latin = createConnection(address, { application: 'test', statementMs: 10_000 })
    await latin.connect()
    const refused = migrateSchema(latin, { schema: 'any', steps: ['CREATE TABLE one (n int)'] }, 'db')
    await expect(refused).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_ENCODING' })
    expect((await latin.query(`SELECT FROM pg_namespace WHERE nspname = 'any'`)).rows).toEqual([])
    await latin.end()
  } finally {
    await one.made.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
})

test('a server that answers every statement without rows is not accepted as PostgreSQL', async () => {
  const empty = { query: async () => ({ rows: [] }) } as unknown as Parameters<typeof migrateSchema>[0]
  const failed = await migrateSchema(empty, { schema: 'nothing', steps: ['CREATE TABLE one (n int)'] }, 'db').catch(
    (error: unknown) => databaseFailure('db', error),
  )
  expect(failed).toMatchObject({ kind: 'network', code: 'DATABASE_GARBLED' })
})
