import { Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { migrateSchema } from '../../postgres/schema.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { type Engine, SCHEMA_STEPS, type SchemaStep, settingsTable } from './schema-steps.ts'
import { type Db, TABLES, type Tables } from './tables.ts'

/** Where the sandbox's tables are in a database that others use too. */
export const SCHEMA = 'bnpl_sandbox'

/** Where each write that changed a row is told of, with the name of its table. */
export const WRITES_CHANNEL = 'bnpl_sandbox'

const POSTGRES: Engine = {
  // The order of a database's own language is another one for every database.
  text: sql`text collate "C"`,
  async made(db, table) {
    if (!TABLES[table].told) return
    const name = sql.id(`tell_${table}`)
    await sql`create trigger ${name} after insert or update or delete on ${sql.table(table)}
      for each row execute function tell()`.execute(db)
  },
}

/** What PostgreSQL needs before the tables that every database has. */
const begin: SchemaStep = async (db, engine) => {
  await sql`create function tell() returns trigger language plpgsql as $$
    begin perform pg_notify(${sql.lit(WRITES_CHANNEL)}, tg_table_name); return null; end $$`.execute(db)
  await settingsTable(db, engine)
}

const STEPS = [begin, ...SCHEMA_STEPS]

/** The version of the tables that this program knows. */
export const SCHEMA_VERSION = STEPS.length

/**
 * Makes the tables, or brings them to this program's version; any number of processes may do so at once. Throws `config` for what is a
 * newer bnpl's or another program's, and what the driver throws.
 * @param name the database in an error
 */
export async function makeTables(client: PoolClient, name: string): Promise<void> {
  const steps = STEPS.map((step) => () => step(dbOn(client), POSTGRES))
  await migrateSchema(client, { schema: SCHEMA, steps }, name)
}

/** Queries on one connection, which stays whoever's it is. */
function dbOn(client: PoolClient): Db {
  const lent = { query: client.query.bind(client), release: () => {} }
  return new Kysely<Tables>({ dialect: postgresDialect({ connect: async () => lent, end: async () => {} }) })
}
