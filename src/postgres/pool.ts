import { type Client, type ClientConfig, Pool } from 'pg'
import { type DatabaseAddress, describeDatabase } from './address.ts'
import { CarefulClient } from './careful-client.ts'

/** A database, and the password to connect with. */
export interface DatabasePlan {
  address: DatabaseAddress
  password: string | undefined
}

interface PoolOptions {
  /** The name in the server's list of connections (`pg_stat_activity`): `bnpl inbox`. */
  application: string
  /** The largest number of connections. */
  connections: number
  /** Milliseconds for a statement. After that its connection is closed. */
  statementMs: number
}

/** How long connecting may take, in milliseconds. */
const CONNECT_MS = 2000

/**
 * Connections to a database, made when they are needed. Rejects with the driver's errors: convert them with `databaseFailure`. An idle
 * connection that is lost is replaced silently.
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

/** One connection, not connected yet, for locks: they belong to the connection and end with it. */
export function createConnection(plan: DatabasePlan, options: Omit<PoolOptions, 'connections'>): Client {
  return new CarefulClient(clientConfig(plan, options))
}

/** The name of a database in errors and notes, without its password. */
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
    // A function, because otherwise the driver looks for a password by itself.
    password: async () => password ?? '',
    // Set here, because otherwise NODE_TLS_REJECT_UNAUTHORIZED switches it off. The certificate must be valid for the host.
    ssl: tls ? { rejectUnauthorized: true, minVersion: 'TLSv1.2', host } : false,
    application_name: application,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}
