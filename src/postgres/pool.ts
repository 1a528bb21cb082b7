import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, Pool } from 'pg'
import { type DatabaseAddress, describeDatabase } from './address.ts'
import { GARBLED } from './failure.ts'

interface Wire {
  stream: Duplex
  attachListeners(stream: Duplex): void
}

const LEAVE_MS = 500

/**
 * The driver's connection, made safe against servers that do not speak PostgreSQL. With the driver alone, a malformed answer would end the
 * process, and a connection that the server does not close would keep the process from ending.
 */
class CarefulClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config)
    // An error without a listener would end the process, and a pool listens only to idle connections. The error is not lost, because the
    // statement in progress reports it too.
    this.on('error', () => {})
    const wire = wireOf(this)
    const attach = wire.attachListeners.bind(wire)
    wire.attachListeners = (stream) => {
      catchData(stream)
      attach(stream)
    }
  }

  override connect(): Promise<Client>
  override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void
  override connect(callback?: (error: never, client: never) => void): Promise<Client> | undefined {
    const made = super.connect().catch((error: unknown) => {
      wireOf(this).stream.destroy()
      throw error instanceof TypeError || error instanceof RangeError ? garbled(error) : error
    })
    if (!callback) return made
    const told = callback as (error: unknown, client?: Client) => void
    made.then((client) => told(null, client), told)
    return undefined
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const { stream } = wireOf(this)
    const cut = setTimeout(() => stream.destroy(), LEAVE_MS)
    stream.once('close', () => clearTimeout(cut))
    if (callback) super.end(callback)
    else return super.end()
    return undefined
  }
}

const wireOf = (client: Client) => client.connection as unknown as Wire

const garbled = (cause: unknown) => Object.assign(new Error('not PostgreSQL', { cause }), { code: GARBLED })

/** The bytes with which a server's first message can begin. */
const FIRST = new Set(Buffer.from('REvN'))

/**
 * Ends a stream when reading it throws, or when its first byte is not one that PostgreSQL sends. Without this, the driver would wait for
 * more bytes after an answer such as `HTTP/1.1 400`.
 */
function catchData(stream: Duplex): void {
  let begun = false
  const emit = stream.emit.bind(stream) as (event: string | symbol, ...args: unknown[]) => boolean
  stream.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...args)
    try {
      const [chunk] = args
      if (!begun && !(chunk instanceof Uint8Array && FIRST.has(chunk[0] ?? 0)))
        throw new TypeError('not a message of PostgreSQL')
      begun = true
      return emit(event, ...args)
    } catch (error) {
      stream.destroy(garbled(error))
      return true
    }
  }
}

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
