import { Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { migrateSchema } from '../../postgres/schema.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { TABLES } from './rows.ts'
import { type Engine, SCHEMA_STEPS, type SchemaStep, settingsTable } from './schema-steps.ts'
import type { Db, Tables } from './tables.ts'

/** The schema of the sandbox's tables. Other programs may use the same database. */
export const SCHEMA = 'bnpl_sandbox'

/** The channel (NOTIFY) that receives the name of a table after each change to its rows. */
export const WRITES_CHANNEL = 'bnpl_sandbox'

const POSTGRES: Engine = {
  // The collation `C` sorts text in the same way in every database. The default collation depends on the database's language.
  text: sql`text collate "C"`,
  async made(db, table) {
    if (!TABLES[table].isWatched) return
    const name = sql.id(`tell_${table}`)
    await sql`create trigger ${name} after insert or update or delete on ${sql.table(table)}
      for each row execute function tell()`.execute(db)
  },
}

const begin: SchemaStep = async (db, engine) => {
  await sql`create function tell() returns trigger language plpgsql as $$
    begin perform pg_notify(${sql.lit(WRITES_CHANNEL)}, tg_table_name); return null; end $$`.execute(db)
  await settingsTable(db, engine)
}

const STEPS = [begin, ...SCHEMA_STEPS]

/** The version of the tables that this program knows. */
export const SCHEMA_VERSION = STEPS.length

/**
 * Creates the tables, or changes them to this program's version. Several processes may do this at the same time. Throws `config` when the
 * tables belong to a newer bnpl or to another program. Also throws the errors of the driver.
 */
export async function makeTables(client: PoolClient, name: string): Promise<void> {
  const steps = STEPS.map((step) => () => step(dbOn(client), POSTGRES))
  await migrateSchema(client, { schema: SCHEMA, steps }, name)
}

function dbOn(client: PoolClient): Db {
  const lent = { query: client.query.bind(client), release: () => {} }
  return new Kysely<Tables>({ dialect: postgresDialect({ connect: async () => lent, end: async () => {} }) })
}
