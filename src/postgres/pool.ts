import { type Client, type ClientConfig, Pool } from 'pg'
import { type DatabaseAddress, describeDatabase } from './address.ts'
import { CarefulClient } from './careful-client.ts'

export interface DatabasePlan {
  address: DatabaseAddress
  password: string | undefined
}

interface PoolOptions {
  /** The name of this program in the server's list of connections (`pg_stat_activity`), such as `bnpl inbox`. */
  application: string
  connections: number
  /** The time limit of a statement, in milliseconds. A statement that takes longer fails, and its connection is closed. */
  statementMs: number
}

const CONNECT_MS = 2000

/**
 * Returns a pool of connections, which are opened when needed. Queries reject with the driver's errors, so convert the errors with
 * `databaseFailure`. An idle connection that is lost is replaced silently.
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

/** Returns a single connection, not opened yet. Use it for locks, because they belong to the connection and end with it. */
export function createConnection(plan: DatabasePlan, options: Omit<PoolOptions, 'connections'>): Client {
  return new CarefulClient(clientConfig(plan, options))
}

/** Returns the name of a database for errors and notes, without its password. */
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
    // A function, because the driver would replace an empty text with a password from the environment or a file.
    password: async () => password ?? '',
    // Require a valid certificate for this host. Without this line, NODE_TLS_REJECT_UNAUTHORIZED could switch the check off.
    ssl: tls ? { rejectUnauthorized: true, minVersion: 'TLSv1.2', host } : false,
    application_name: application,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}
