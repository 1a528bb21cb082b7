import type { ClientBase } from 'pg'
import { config } from '../errors.ts'
import { GARBLED } from './failure.ts'

/** The tables of one room: a schema of its own, so that several rooms can share a database. */
export interface SchemaPlan {
  /** Name of the schema, such as `bnpl_inbox`: lower-case letters and `_`. */
  schema: string
  /**
   * What makes every version, oldest first: how many a database has seen is its version. What has been released is never edited. Names
   * without a schema are those of this one.
   */
  migrations: readonly (string | ((client: ClientBase) => Promise<void>))[]
}

/** A word for all our migrations: any two of them wait for each other. */
const LOCK = 0x626e706c

/**
 * Brings a schema to this program's version. Any number of processes may do so at once: each step is done by one of them, in one
 * transaction with all others. Throws `config`, and changes nothing, for the tables of a newer version or of another program, and for a
 * database that is not in UTF-8; and what the driver throws.
 * @param name the database in an error, `describeDatabase`
 */
export async function migrate(client: ClientBase, { schema, migrations }: SchemaPlan, name: string): Promise<void> {
  const seen = await readVersion(client, schema)
  refuseNewer(seen, migrations.length, name)
  if (seen === migrations.length) return
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    // Again, now that nobody else can change it: another process may just have brought it up to date, or further.
    const version = await readVersion(client, schema)
    refuseNewer(version, migrations.length, name)
    if (version === undefined) await begin(client, schema, name)
    await client.query(`SET LOCAL search_path TO ${schema}`)
    for (const step of migrations.slice(version ?? 0))
      await (typeof step === 'string' ? client.query(step) : step(client))
    await client.query(`UPDATE ${schema}.schema_version SET version = $1`, [migrations.length])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** The version of the tables; undefined where there are none of ours. */
async function readVersion(client: ClientBase, schema: string): Promise<number | undefined> {
  // Not by to_regclass, which remembers within a transaction what it did not find.
  const { rows } = await client.query(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'schema_version'`,
    [schema],
  )
  if (rows.length === 0) return undefined
  return Number((await client.query(`SELECT version FROM ${schema}.schema_version`)).rows[0]?.version ?? 0)
}

async function begin(client: ClientBase, schema: string, name: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = $1)::int AS schemas,
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1)::int AS tables,
       current_setting('server_encoding') AS encoding`,
    [schema],
  )
  const [found] = rows
  if (!found) throw Object.assign(new Error('no row'), { code: GARBLED })
  if (found.tables > 0) {
    throw config(
      `the schema ${schema} of the database ${name} is another program’s and is left as it is`,
      'Name another database.',
      'STATE_FOREIGN',
    )
  }
  // What does not fit would be refused with everything that came beside it.
  if (!['UTF8', 'SQL_ASCII'].includes(found.encoding)) {
    throw config(
      `the database ${name} is not in UTF-8: it has no room for every id and name`,
      'Name one that is: createdb --encoding=UTF8 --template=template0 NAME',
      'DATABASE_ENCODING',
    )
  }
  // Made beforehand by who owns the database, it needs no permission of ours.
  if (found.schemas === 0) await client.query(`CREATE SCHEMA ${schema}`)
  await client.query(`CREATE TABLE ${schema}.schema_version (version integer NOT NULL)`)
  await client.query(`INSERT INTO ${schema}.schema_version VALUES (0)`)
}

function refuseNewer(version: number | undefined, known: number, name: string): void {
  if (version === undefined || version <= known) return
  throw config(
    `the database ${name} was written by a newer bnpl (version ${version}; this one knows ${known}) and is left as it is`,
    'Update bnpl, or name another database.',
    'STATE_NEWER',
  )
}
