import {
  CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { type PoolClient, types } from 'pg'

/** How long a transaction waits for another process's, and may itself stand still, in ms. */
const WAIT_MS = 15_000

/** A word for all transactions of sandboxes in a database: one at a time has it, and it ends with the transaction or its connection. */
const LOCK = '1651404908, 1'

const BEGIN = [
  'BEGIN',
  `SET LOCAL lock_timeout = ${WAIT_MS}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${WAIT_MS}`,
  `SELECT pg_advisory_xact_lock(${LOCK})`,
].join(';')

type Connection = Pick<PoolClient, 'query' | 'release'>

/** A pool, as far as queries need one. */
export interface Connections {
  connect(): Promise<Connection>
  end(): Promise<void>
}

/**
 * Kysely on PostgreSQL, where transactions mean what they mean in a file: one at a time, alone. Queries outside of one, and transactions
 * with an isolation level of their own, wait for nobody.
 */
export function postgresDialect(pool: Connections): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new OneAtATimeDriver({ pool: asKyselyPool(pool) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class OneAtATimeDriver extends PostgresDriver {
  override async beginTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.isolationLevel !== undefined) return super.beginTransaction(connection, settings)
    try {
      await connection.executeQuery(CompiledQuery.raw(BEGIN))
    } catch (error) {
      // It may have begun, and waited in vain.
      await this.rollbackTransaction(connection).catch(() => {})
      throw error
    }
  }
}

/** Integers of eight bytes, counts among them, come as numbers: none here is beyond them. */
const INT8 = 20
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
}

/** The client that Kysely sees of each of the pool's, always the same one. */
function asKyselyPool(pool: Connections): PostgresPool {
  const seen = new WeakMap<Connection, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = seen.get(client) ?? asKyselyClient(client)
      seen.set(client, known)
      return known
    },
    end: () => pool.end(),
  } as PostgresPool
}

function asKyselyClient(client: Connection): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) =>
    client.query({ text, values: values.map(withoutNul), types: TYPES })
  // Kysely's other way, a cursor, is not made here.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (isBroken?: boolean) => client.release(isBroken),
  }
}

/** The one character that PostgreSQL keeps in no text. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}
