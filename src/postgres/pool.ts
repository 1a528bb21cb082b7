import { type Client, type ClientConfig, Pool } from 'pg'
import { type DatabaseAddress, describeDatabase } from './address.ts'
import { CarefulClient } from './careful-client.ts'

/** A database and the way in. */
export interface DatabasePlan {
  address: DatabaseAddress
  password: string | undefined
}

interface PoolOptions {
  /** What the server's own list of connections (`pg_stat_activity`) shows: `bnpl inbox`. */
  application: string
  /** Connections at most. */
  connections: number
  /** Milliseconds for a statement; after that its connection is given up. */
  statementMs: number
}

/** How long the making of a connection may take, in milliseconds. */
const CONNECT_MS = 2000

/**
 * Connections to a database, made when they are needed. What fails rejects with the driver's errors: tell people by `databaseFailure`.
 * An idle connection that is lost is replaced silently.
 */
export function createPool(plan: DatabasePlan, options: PoolOptions): Pool {
  const pool = new Pool({
    ...clientConfig(plan, options),
    Client: CarefulClient,
    max: options.connections,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', () => {})
  return pool
}

/** One connection, not made yet: for locks, which belong to it and end with it. */
export function createConnection(plan: DatabasePlan, options: Omit<PoolOptions, 'connections'>): Client {
  return new CarefulClient(clientConfig(plan, options))
}

export const databaseName = ({ address }: DatabasePlan): string => describeDatabase(address)

function clientConfig(
  { address, password }: DatabasePlan,
  { application, statementMs }: Omit<PoolOptions, 'connections'>,
): ClientConfig {
  const { host, port, user, database, tls } = address
  return {
    host,
    port,
    database,
    ...(user === undefined ? {} : { user }),
    // As a function: the driver would else look for one by itself.
    password: async () => password ?? '',
    // Said, not left to Node: NODE_TLS_REJECT_UNAUTHORIZED would switch it off. The host is what the certificate is checked for.
    ssl: tls ? { rejectUnauthorized: true, minVersion: 'TLSv1.2', host } : false,
    application_name: application,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}
