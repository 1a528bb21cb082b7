import type { ClientBase } from 'pg'
import { config } from '../errors.ts'
import { bringUpToDate, type MigrationEngine, type MigrationStep } from '../migration.ts'
import { GARBLED } from './failure.ts'

/** The tables of one part of the program. They have their own schema, so that several parts can share a database. */
export interface PostgresSchema {
  /** The name of the schema, such as `bnpl_inbox`. It has only lower-case letters and `_`. */
  schema: string
  /** Tables that these steps name without a schema belong to this schema. */
  steps: readonly MigrationStep<ClientBase>[]
}

/** The advisory lock of all our migrations, so that only one runs at a time. */
const LOCK = 0x626e706c

/**
 * Brings a schema to the version of this program.
 * @throws `config` in the same cases as `bringUpToDate`, and for a database that is not in UTF-8
 */
export async function migrateSchema(
  client: ClientBase,
  { schema, steps }: PostgresSchema,
  name: string,
): Promise<void> {
  const words = { name: `the schema ${schema} of the database ${name}`, otherPlace: 'use another database' }
  await bringUpToDate(client, engineOf(client, schema, name), steps, { ...words, code: 'STATE' })
}

function engineOf(client: ClientBase, schema: string, name: string): MigrationEngine<ClientBase> {
  return {
    async version() {
      const tables = await tablesOf(client, schema)
      if (!tables.includes('schema_version')) return tables.length > 0 ? 'foreign' : 0
      return Number((await client.query(`SELECT version FROM ${schema}.schema_version`)).rows[0]?.version ?? 0)
    },
    async alone(work) {
      await client.query('BEGIN')
      try {
        await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
        if ((await tablesOf(client, schema)).length === 0) await makeSchema(client, schema, name)
        await client.query(`SET LOCAL search_path TO ${schema}`)
        await work(client)
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {})
        throw error
      }
    },
    async run(_, sql) {
      await client.query(sql)
    },
    async keepVersion(_, version) {
      await client.query(`UPDATE ${schema}.schema_version SET version = $1`, [version])
    },
  }
}

async function tablesOf(client: ClientBase, schema: string): Promise<string[]> {
  // to_regclass is not used, because within a transaction it caches that it found nothing.
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1`,
    [schema],
  )
  return rows.map((row) => row.name)
}

async function makeSchema(client: ClientBase, schema: string, name: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = $1)::int AS schemas,
       current_setting('server_encoding') AS encoding`,
    [schema],
  )
  const [found] = rows
  if (!found) throw Object.assign(new Error('no row'), { code: GARBLED })
  // In another encoding, the server would refuse a whole batch because of one unsupported character.
  if (!['UTF8', 'SQL_ASCII'].includes(found.encoding)) {
    throw config(
      `the database ${name} is not in UTF-8, so it cannot store every id and name`,
      'Use a UTF-8 database: createdb --encoding=UTF8 --template=template0 NAME',
      'DATABASE_ENCODING',
    )
  }
  // If the owner of the database has already created the schema, this user needs no permission to create one.
  if (found.schemas === 0) await client.query(`CREATE SCHEMA ${schema}`)
  await client.query(`CREATE TABLE ${schema}.schema_version (version integer NOT NULL)`)
  await client.query(`INSERT INTO ${schema}.schema_version VALUES (0)`)
}
