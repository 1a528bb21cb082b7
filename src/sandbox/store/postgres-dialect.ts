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

/** How long a transaction may wait for another transaction, and how long it may be idle, in ms. */
const WAIT_MS = 15_000

/** The advisory lock that all sandbox transactions of a database take. It is released when the transaction or its connection ends. */
const LOCK = '1651404908, 1'

const BEGIN = [
  'BEGIN',
  `SET LOCAL lock_timeout = ${WAIT_MS}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${WAIT_MS}`,
  `SELECT pg_advisory_xact_lock(${LOCK})`,
].join(';')

type Connection = Pick<PoolClient, 'query' | 'release'>

interface Connections {
  connect(): Promise<Connection>
  end(): Promise<void>
}

/**
 * Returns a dialect for PostgreSQL that runs only one transaction at a time. Queries outside of a transaction, and transactions that set
 * their own isolation level, do not wait.
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
      // The transaction may have begun before the wait for the lock failed, so roll it back.
      await this.rollbackTransaction(connection).catch(() => {})
      throw error
    }
  }
}

/** The type number of PostgreSQL's integers of eight bytes. They are read as numbers, because all values here are small enough. */
const INT8 = 20
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
}

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
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (isBroken?: boolean) => client.release(isBroken),
  }
}

/** Replaces the NUL characters in a text, because PostgreSQL cannot store them. Returns any other value unchanged. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}
