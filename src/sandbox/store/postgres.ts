import { Kysely, sql } from 'kysely'
import { config } from '../../errors.ts'
import { databaseFailure } from '../../postgres/failure.ts'
import { createPool, type DatabasePlan, databaseName } from '../../postgres/pool.ts'
import { listenForWrites } from './postgres-changes.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { makeTables, SCHEMA } from './postgres-schema.ts'
import { type Store, StoreRefusal } from './store.ts'
import type { Tables } from './tables.ts'

const CONNECTIONS = 10

/** How long a statement may take, in ms, including the wait for another transaction. */
const STATEMENT_MS = 20_000

const TRIES = 5

/** Opens a sandbox's state in a database. Throws the same errors as `openStore`. */
export async function openPostgres(plan: DatabasePlan): Promise<Store> {
  const options = { application: 'bnpl sandbox', statementMs: STATEMENT_MS }
  const pool = createPool(plan, { ...options, connections: CONNECTIONS })
  // Without a listener for errors, a lost connection would end this process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) }).withSchema(SCHEMA)
  const changes = listenForWrites(plan, options)
  const failure = (error: unknown) => ours(error) ?? databaseFailure(databaseName(plan), error)
  const close = async () => {
    await changes.close()
    await db.destroy()
  }
  try {
    const client = await pool.connect()
    try {
      await makeTables(client, databaseName(plan))
    } finally {
      client.release()
    }
  } catch (error) {
    await close().catch(() => {})
    throw failure(error)
  }
  return {
    engine: 'postgres',
    db,
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          if (tries === TRIES || !isVictim(error)) throw error
        }
      }
    },
    onWrite: changes.onWrite,
    failure,
    time: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::int8`,
    file: undefined,
    close,
  }
}

/** Whether the server ended a transaction because of a conflict with another transaction. The ended transaction can be repeated. */
function isVictim(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error))
}

function ours(error: unknown): unknown {
  switch (codeOf(error)) {
    case '55P03':
      return config(
        'another process has locked the sandbox’s data for too long',
        'Try again in a moment.',
        'STATE_BUSY',
      )
    case '54000':
      return new StoreRefusal('value-too-long', 'a value is too long for the sandbox’s database')
    default:
      return undefined
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
