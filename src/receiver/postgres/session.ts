import type { Client, QueryConfig, QueryResult } from 'pg'
import { BnplError, config } from '../../errors.ts'
import { databaseFailure, isOutage, POOLED, poolerFailure } from '../../postgres/failure.ts'
import { createConnection, type DatabasePlan, databaseName } from '../../postgres/pool.ts'
import { INBOX_CHANNEL, LOCKS } from './schema.ts'

/**
 * The only connection with which a receiver stores events. It holds the lock of the receiver's number, which is stored with every event.
 * When this connection is lost, another session takes that lock and the unprinted events. From then on, no more events can be stored with
 * that number.
 */
export interface Session {
  id: number
  /** Counts the sessions of this process, from 1. The database can give an `id` again after a standby has taken over. */
  epoch: number
  client: Client
  query: Query
  /** The destinations whose locks this session holds, each with its number. This process forwards their events. */
  held: Map<string, number>
  /** The numbers of the destinations that this session has stored or read. */
  destinations: Map<string, number>
  /** Whether the session certainly has its locks. A process that was suspended may have lost them. */
  isFresh(): boolean
  /**
   * Asks the server whether the session still exists.
   * @throws `config` when a pooler has given the connection another server process
   */
  check(): Promise<void>
}

type Query = (text: string | QueryConfig, values?: unknown[]) => Promise<QueryResult>

interface Queried {
  query(text: string, values?: unknown[]): Promise<QueryResult>
  query(config: QueryConfig): Promise<QueryResult>
}

/** Wraps a connection or a pool in the query interface of a session. */
export const queriesOf =
  (queried: Queried): Query =>
  (text, values) =>
    typeof text === 'string' ? queried.query(text, values) : queried.query(text)

interface SessionOptions {
  pid: number
  address: string
  notice(text: string): void
  onLost(): void
  onOpen(session: Session): Promise<void>
  onNews(): void
  /** Called with an error after which no new session is possible: its cause is a fault in the program, or a pooler. */
  onError(error: unknown): void
}

export interface SessionKeeper {
  /** Returns the present session. Throws `network` at once while the database cannot be reached. */
  current(): Session
  /** Call this after an error. Replaces the session if it cannot be used any more. Returns the error as a `BnplError`. */
  failed(session: Session, error: unknown): unknown
  close(): Promise<void>
}

/** The service waits only 3 s for the answer to a delivery, so a statement that takes nearly as long would be useless. */
const STATEMENT_MS = 2000
const AGAIN_MS = [100, 250, 500, 1000] as const

/** Returns a function that puts each call of `work` into a queue. A call begins when the previous call has ended or failed. */
export function inTurn<A extends unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve()
  return (...args) => {
    const next = last.then(() => work(...args))
    last = next.catch(() => {})
    return next
  }
}

/** Opens a session and returns its keeper, or throws. If the session is lost later, the keeper tries until it has opened a new one. */
export async function keepSession(plan: DatabasePlan, options: SessionOptions): Promise<SessionKeeper> {
  const name = databaseName(plan)
  let session: Session | undefined
  let before: Session | undefined
  let why: unknown
  let closing = false
  let epoch = 0
  let timer: NodeJS.Timeout | undefined
  let wake = () => {}

  const open = async (): Promise<void> => {
    const opened = { ...(await openSession(plan, options, before === undefined)), epoch: ++epoch }
    try {
      await options.onOpen(opened)
    } catch (error) {
      end(opened)
      throw error
    }
    // If the connection was lost before these handlers are added, the next statement fails and reports the loss.
    opened.client.once('error', (error) => lose(opened, error))
    opened.client.once('end', () => lose(opened, new Error('Connection terminated')))
    opened.client.on('notification', options.onNews)
    session = opened
  }
  const lose = (lost: Session, error: unknown): void => {
    if (session !== lost) return
    session = undefined
    before = lost
    why = databaseFailure(name, error)
    end(lost)
    if (closing) return
    const what = why instanceof BnplError ? why.message : `the database ${name} failed`
    options.notice(`${what}: NO DELIVERY IS STORED. Every delivery is answered with 503 until the database is back`)
    options.onLost()
    void reopen(performance.now())
  }
  const reopen = async (since: number): Promise<void> => {
    for (let tries = 0; !closing; tries++) {
      try {
        await open()
        options.notice(
          `the database ${name} is back after ${Math.ceil((performance.now() - since) / 1000)} s, and new deliveries are being stored`,
        )
        options.onNews()
        return
      } catch (error) {
        why = databaseFailure(name, error)
        if (closing) return
        if (!(why instanceof BnplError) || why.code === POOLED) return options.onError(why)
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)])
        })
      }
    }
  }
  await open().catch((error: unknown) => Promise.reject(databaseFailure(name, error)))
  return {
    current() {
      if (session) return session
      throw why instanceof BnplError && isOutage(why)
        ? why
        : new BnplError('network', `the database ${name} cannot be reached`, { code: 'DATABASE_LOST' })
    },
    failed(failed, error) {
      const failure = databaseFailure(name, error)
      // Replace the session only after these failures. After any other failure the connection can still be used, because the server only
      // refused the statement.
      if (isOutage(failure) || (failure instanceof BnplError && failure.code === 'DATABASE_READ_ONLY'))
        lose(failed, error)
      return failure
    },
    async close() {
      closing = true
      clearTimeout(timer)
      wake()
      const last = session
      session = undefined
      await last?.client.end().catch(() => {})
    },
  }
}

const end = ({ client }: Session): void => void client.end().catch(() => {})

/** @param isFirst true to look for a pooler, which is necessary only for the first session of a process */
async function openSession(
  plan: DatabasePlan,
  { pid, address }: SessionOptions,
  isFirst: boolean,
): Promise<Omit<Session, 'epoch'>> {
  const name = databaseName(plan)
  const client = createConnection(plan, CONNECTION)
  // Without a listener, a lost connection would end the process. The event `end` and the statement in progress both report the loss.
  client.on('error', () => {})
  await client.connect()
  try {
    // Look for a pooler before changing settings, because behind a pooler the settings would remain for the next client.
    if (isFirst) await refusePooler(client, () => createConnection(plan, CONNECTION), name)
    const backend = await backendOf(client)
    const lease = createLease()
    await lease.renew(() => client.query(SETTINGS))
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby')
    if (rows[0].standby) {
      throw config(
        `the database ${name} is read-only, so it may be a standby`,
        'Use the address of the primary server.',
        'DATABASE_READ_ONLY',
      )
    }
    const id = await takeNumber(client)
    await client.query('INSERT INTO bnpl_inbox.receivers (id, pid, address) VALUES ($1, $2, $3)', [id, pid, address])
    await client.query(`LISTEN ${INBOX_CHANNEL}`)
    const ask = queriesOf(client)
    const query: Query = inTurn((text, values) => lease.renew(() => ask(text, values)))
    return {
      id,
      client,
      query,
      held: new Map(),
      destinations: new Map(),
      isFresh: lease.isFresh,
      check: () => refuseOtherBackend({ query }, backend, name),
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

const CONNECTION = { application: 'bnpl receiver', statementMs: STATEMENT_MS }

/**
 * Takes a new receiver number and its lock, and returns the number. Insert the receiver's row only afterwards, because other receivers take
 * over the events of every receiver whose lock is free.
 */
async function takeNumber(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT nextval('bnpl_inbox.receiver_numbers')::integer AS id`)
  const id = Number(rows[0]?.id)
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.receiver, id])
  return id
}

/** After this many milliseconds of silence, the server ends a session and releases its locks (`idle_session_timeout`, PostgreSQL 14). */
export const IDLE_MS = 5000

/**
 * Settings that the receiver relies on. A commit is on the disk when it returns, and every statement sees all earlier commits. From version
 * 14, the server ends a session that sends no statement for some seconds. If the machine of the client cannot be reached any more, the TCP
 * limits end its session after 25 s.
 */
const SETTINGS = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
SET default_transaction_isolation = 'read committed';
SET statement_timeout = ${STATEMENT_MS};
SET lock_timeout = 0;
SELECT set_config('idle_session_timeout', '${IDLE_MS}', false) WHERE current_setting('server_version_num')::integer >= 140000;
SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 25000`

/**
 * After this many milliseconds of silence, a session must ask the server before it relies on its locks. This is less than `IDLE_MS`, so
 * that a session stops relying on its locks before another session can get them.
 */
const LEASE_MS = 4000

interface Lease {
  /** Whether the server answered so recently that it cannot have ended the session. */
  isFresh(): boolean
  /** Runs `ask`, which queries the server. If the server answers, the lease starts again at the time of the query. */
  renew<T>(ask: () => Promise<T>): Promise<T>
}

/**
 * Returns a lease, which says how long a session may rely on its locks without asking the server.
 * @param clock a monotonic clock and a wall clock, both in ms
 */
export function createLease(clock = { monotonic: () => performance.now(), wall: () => Date.now() }): Lease {
  const now = () => ({ monotonic: clock.monotonic(), wall: clock.wall() })
  let provedAt = now()
  return {
    isFresh() {
      const { monotonic, wall } = now()
      // Use both clocks, because the monotonic clock stops while a machine is suspended, and the wall clock may be set back.
      return Math.max(monotonic - provedAt.monotonic, wall - provedAt.wall) < LEASE_MS
    },
    async renew(ask) {
      const askedAt = now()
      const answer = await ask()
      provedAt = askedAt
      return answer
    },
  }
}

interface Asked {
  query(text: string): Promise<QueryResult>
}

const PROBES = 3

/** Returns the number of the server process behind a connection. */
export async function backendOf(client: Asked): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  return Number(rows[0]?.pid)
}

/** Throws `config` when a connection has another server process than before. */
export async function refuseOtherBackend(client: Asked, backend: number, name: string): Promise<void> {
  if ((await backendOf(client)) !== backend) throw poolerFailure(name)
}

/**
 * Throws `config` when a pooler does not keep sessions. Such a pooler may run another client's transaction in the server process of our
 * connection, or give our connection another server process.
 * @param connection returns a further client that is not connected yet
 */
export async function refusePooler(client: Asked, connection: () => Client, name: string): Promise<void> {
  const backend = await backendOf(client)
  const probes: Client[] = []
  try {
    for (let i = 0; i < PROBES; i++) {
      const probe = connection()
      probes.push(probe)
      const other = await beginOn(probe, name)
      // Without a further connection, a pooler cannot be detected here. A receiver also checks its own connection every second.
      if (other === undefined) return
      if (other === backend) throw poolerFailure(name)
      await refuseOtherBackend(client, backend, name)
    }
  } finally {
    await Promise.all(probes.map((probe) => probe.end().catch(() => {})))
  }
}

/**
 * Begins a transaction and leaves it open. Returns the number of the connection's server process, or undefined when the connection cannot
 * be made.
 */
async function beginOn(probe: Client, name: string): Promise<number | undefined> {
  try {
    await probe.connect()
    await probe.query('BEGIN')
    return await backendOf(probe)
  } catch (error) {
    const failure = databaseFailure(name, error)
    if (failure instanceof BnplError && failure.code !== POOLED) return undefined
    throw failure
  }
}
