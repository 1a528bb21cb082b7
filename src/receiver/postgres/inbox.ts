import type { Pool } from 'pg'
import type { Confirmation } from '../../domain/envelope.ts'
import { BnplError } from '../../errors.ts'
import { databaseFailure, POOLED } from '../../postgres/failure.ts'
import { createPool, type DatabasePlan, databaseName } from '../../postgres/pool.ts'
import { migrateSchema } from '../../postgres/schema.ts'
import { type Batch, type Inbox, type News, OWN_DESTINATION, type OwnDestination, ownDestinationOf } from '../inbox.ts'
import { createDatabaseReader, type DatabaseReader } from './reader.ts'
import { record } from './recorder.ts'
import { INBOX_CHANNEL, INBOX_SCHEMA, LOCKS } from './schema.ts'
import { inTurn, keepSession, queriesOf, type Session, type SessionKeeper } from './session.ts'

const READ_MS = 30_000

/**
 * Opens the inbox in a PostgreSQL database, which any number of receivers may share. While the server cannot be reached, methods that need
 * it throw `network`.
 * @param notice called when the connection to the database is lost, and when the database can be reached again
 * @throws `config` for a database that cannot be used
 */
export async function openPostgresInbox(plan: DatabasePlan, notice: (text: string) => void): Promise<Inbox> {
  const name = databaseName(plan)
  const pool = createPool(plan, { application: 'bnpl inbox', connections: 3, statementMs: READ_MS })
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(databaseFailure(name, error)))
  try {
    await bringUp(pool, name)
  } catch (error) {
    await pool.end().catch(() => {})
    throw databaseFailure(name, error)
  }
  const reader = createDatabaseReader(pool)
  const receiving = createReceiving({ plan, pool, reader, guarded, notice })
  return {
    shared: true,
    ...receiving,
    waitingDestinations: () => guarded(reader.waitingDestinations()),
    waiting: (...args) => guarded(reader.waiting(...args)),
    backlog: () => guarded(reader.backlog()),
    find: (query) => guarded(reader.find(query)),
    ownDestination: (account) => guarded(reader.ownDestination(account)),
    setOwnDestination: (...args) => guarded(setOwn(pool, ...args)),
    lastListener: () => guarded(reader.lastListener()),
    setLastListener: (listener) => guarded(setFact(pool, 'last_listener', listener)),
    confirm: (seq, confirmation) => guarded(confirm(pool, seq, confirmation)),
    prune: (before) => guarded(pruneDatabase(pool, before)),
    async close() {
      await receiving.close()
      await pool.end()
    },
  }
}

async function bringUp(pool: Pool, name: string): Promise<void> {
  const client = await pool.connect()
  try {
    await migrateSchema(client, INBOX_SCHEMA, name)
  } finally {
    client.release()
  }
}

async function confirm(pool: Pool, seq: number, { agrees, differences, at }: Confirmation): Promise<void> {
  await pool.query(
    `INSERT INTO bnpl_inbox.confirmations (seq, agrees, differences, at) VALUES ($1, $2, $3, $4) ON CONFLICT (seq)
     DO UPDATE SET agrees = excluded.agrees, differences = excluded.differences, at = excluded.at`,
    [seq, agrees, JSON.stringify(differences), at],
  )
}

async function setOwn(pool: Pool, account: string, destination: OwnDestination | undefined): Promise<void> {
  if (destination === undefined) {
    await pool.query('DELETE FROM bnpl_inbox.facts WHERE name IN ($1, $2)', [
      ownDestinationOf(account),
      OWN_DESTINATION,
    ])
    return
  }
  await pool.query(
    `WITH earlier AS (DELETE FROM bnpl_inbox.facts WHERE name = $2)
     INSERT INTO bnpl_inbox.facts (name, value) VALUES ($1, $3) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [ownDestinationOf(account), OWN_DESTINATION, JSON.stringify(destination)],
  )
}

async function setFact(pool: Pool, name: string, value: object): Promise<void> {
  await pool.query(
    'INSERT INTO bnpl_inbox.facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, JSON.stringify(value)],
  )
}

/** Implements `Inbox.prune` for a database. Deletes few events at a time, so that receivers never wait long. */
async function pruneDatabase(pool: Pool, before: number): Promise<number> {
  let pruned = 0
  for (;;) {
    const { rows } = await pool.query(PRUNE, [before])
    const count = Number(rows[0]?.count)
    pruned += count
    if (count === 0) return pruned
  }
}

const PRUNE = `WITH old AS (
    SELECT e.seq FROM bnpl_inbox.events e LEFT JOIN bnpl_inbox.forwards f ON f.seq = e.seq
    WHERE e.received_at < $1
      AND (e.fate <> 'new' OR NOT EXISTS
        (SELECT FROM bnpl_inbox.receivers r WHERE r.id = e.receiver AND e.place > r.emitted_up_to))
      AND (f.state IS NULL OR f.state = 'delivered')
    ORDER BY e.seq LIMIT 500
  ), gone AS (DELETE FROM bnpl_inbox.events e USING old WHERE e.seq = old.seq),
  unconfirmed AS (DELETE FROM bnpl_inbox.confirmations c USING old WHERE c.seq = old.seq),
  settled AS (DELETE FROM bnpl_inbox.forwards f USING old WHERE f.seq = old.seq)
  SELECT count(*) FROM old`

const LOOK_MS = 1000
const NOTIFY_MS = 20

type Receiving = Pick<
  Inbox,
  'claim' | 'watch' | 'take' | 'release' | 'holds' | 'commit' | 'probe' | 'emittedUpTo' | 'emittable' | 'close'
>

interface ReceivingOptions {
  plan: DatabasePlan
  pool: Pool
  reader: Pick<DatabaseReader, 'emittable'>
  guarded<T>(work: Promise<T>): Promise<T>
  notice(text: string): void
}

/** Creates the part of an inbox in PostgreSQL that receives events and claims destinations. Connects at the first call. */
function createReceiving({ plan, pool, reader, guarded, notice }: ReceivingOptions): Receiving {
  const news = { tell: (_: News) => {}, onError: (_: unknown) => {} }
  const sessions = sessionsOf(news)
  const notify = notifier(pool)
  let looking: NodeJS.Timeout | undefined
  const marks = createMarks()

  const look = async (): Promise<void> => {
    const work = async (session: Session) => {
      await session.check()
      await takeOver(session, () => news.tell('more'), marks.printedUpTo)
    }
    // Ignore errors. `use` reports those that end receiving. After any other error, the next call of `look` repeats the work.
    await sessions.use(work).catch(() => {})
    news.tell('more')
  }
  // Store batches one after the other, because events that are acknowledged earlier must have lower numbers.
  const commit = inTurn(async (batch: Batch) => {
    marks.note(batch)
    if (!sessions.isReceiving()) return guarded(record({ id: 0, query: queriesOf(pool) }, batch, new Map()))
    return sessions.use(async (session) => {
      const recorded = await record(session, marks.of(session, batch), session.destinations)
      const isForeign = batch.arrivals.some(
        ({ forward, destination }, i) => forward && recorded[i]?.fate === 'new' && !session.held.has(destination),
      )
      if (isForeign) notify.others()
      for (const each of recorded) each.session = session.epoch
      return recorded
    })
  })
  return {
    async claim({ pid, address }) {
      const keeper = await keepSession(plan, {
        pid,
        address,
        notice,
        onError: (error) => news.onError(error),
        onLost: () => news.tell('lost'),
        onNews: () => news.tell('more'),
        onOpen: async (session) => {
          marks.begin(session)
          await takeOver(session, () => {}, marks.printedUpTo)
        },
      })
      sessions.keptBy(keeper)
      looking = setInterval(() => void look(), LOOK_MS)
    },
    watch(listener, onError) {
      news.tell = listener
      news.onError = onError
    },
    take: (destination) => sessions.use((session) => takeDestination(session, destination)),
    release: (destination) => sessions.use((session) => releaseDestination(session, destination)),
    holds(destination) {
      const session = sessions.current()
      if (!session?.isFresh()) return false
      return destination === undefined || session.held.has(destination)
    },
    commit,
    probe: () => sessions.use(({ query }) => query(PROBE, [String(Math.random())])).then(() => {}),
    emittedUpTo: async () => marks.current(),
    async emittable(place, limit, of) {
      for (;;) {
        const session = sessions.demand()
        const from = of === undefined || of === session?.epoch ? place : 0
        const events = await guarded(reader.emittable(session?.id ?? 0, from, limit))
        // While this process was suspended, another receiver may have taken over its events.
        if (session && !session.isFresh()) await sessions.use(({ check }) => check())
        if (session === sessions.demand()) return events.map((each) => ({ ...each, session: session?.epoch }))
      }
    },
    async close() {
      clearInterval(looking)
      notify.stop()
      await sessions.close()
    },
  }
}

function sessionsOf(news: { tell(what: News): void; onError(error: unknown): void }) {
  let keeper: SessionKeeper | undefined
  return {
    keptBy(given: SessionKeeper): void {
      keeper = given
    },
    isReceiving: () => keeper !== undefined,
    /**
     * Returns the present session; undefined if this process does not receive.
     * @throws `network` while the database cannot be reached
     */
    demand: () => keeper?.current(),
    current(): Session | undefined {
      try {
        return keeper?.current()
      } catch {
        return undefined
      }
    },
    async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
      if (!keeper) throw new Error('no receiver has claimed this inbox')
      const session = keeper.current()
      try {
        return await work(session)
      } catch (error) {
        news.tell('more')
        const failure = keeper.failed(session, error)
        if (endsReceiving(failure)) news.onError(failure)
        throw failure
      }
    },
    close: async () => keeper?.close(),
  }
}

const endsReceiving = (failure: unknown): boolean => !(failure instanceof BnplError) || failure.code === POOLED

/**
 * Returns an object that tells other receivers that there are events to forward. Every receiver also looks each second, so a failure does
 * no harm.
 */
function notifier(pool: Pool) {
  let timer: NodeJS.Timeout | undefined
  return {
    others(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        pool.query(`NOTIFY ${INBOX_CHANNEL}`).catch(() => {})
      }, NOTIFY_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Takes the lock of a destination if it is free. Returns whether this receiver has the lock now. */
async function takeDestination({ query, held, isFresh, check }: Session, destination: string): Promise<boolean> {
  if (!isFresh()) await check()
  if (held.has(destination)) return true
  const { rows } = await query(
    'SELECT id, pg_try_advisory_lock($1, id) AS mine FROM bnpl_inbox.destinations WHERE name = $2',
    [LOCKS.destination, destination],
  )
  if (rows[0]?.mine) held.set(destination, rows[0].id)
  return held.has(destination)
}

/** Releases the lock of a destination. If the server refuses this, the session still has the lock, and no other receiver can get it. */
async function releaseDestination({ query, held }: Session, destination: string): Promise<void> {
  const id = held.get(destination)
  if (id === undefined) return
  await query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.destination, id])
  held.delete(destination)
}

/** Returns an object that knows how far this process has printed the events of each of its sessions. */
function createMarks() {
  const upTo = new Map<number, number>()
  const epochs = new Map<number, number>()
  let present = 0
  return {
    begin({ id, epoch }: Session): void {
      epochs.set(id, epoch)
      present = epoch
    },
    note({ emittedUpTo, emittedIn = present }: Batch): void {
      if (emittedUpTo !== undefined) upTo.set(emittedIn, Math.max(emittedUpTo, upTo.get(emittedIn) ?? 0))
    },
    current: () => upTo.get(present) ?? 0,
    printedUpTo: (id: number) => upTo.get(epochs.get(id) ?? 0) ?? 0,
    /** Returns a batch without the mark of another session. */
    of: ({ epoch }: Session, batch: Batch): Batch =>
      batch.emittedIn === undefined || batch.emittedIn === epoch ? batch : { ...batch, emittedUpTo: undefined },
  }
}

const PROBE = `INSERT INTO bnpl_inbox.facts (name, value) VALUES ('probe', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** How many events one statement takes over at most, because every statement has a time limit. */
const CHUNK = 500

/**
 * Takes over the unprinted events of receivers that ended. The locks of these receivers are free, so they cannot store more events.
 * @param onTaken called as soon as events were taken over, so that they are printed before events that this session stores later
 * @param printedUpTo how far an earlier session of this process, with this number, printed its events; 0 if there was none
 */
export async function takeOver(
  session: Session,
  onTaken: () => void,
  printedUpTo: (id: number) => number = () => 0,
): Promise<void> {
  const { query, id } = session
  const { rows } = await query('SELECT id FROM bnpl_inbox.receivers WHERE id <> $1 AND pg_try_advisory_lock($2, id)', [
    id,
    LOCKS.receiver,
  ])
  for (const { id: gone } of rows) {
    const upTo = printedUpTo(gone)
    if (upTo > 0) await query(MARK, [gone, upTo])
    // Use a separate statement, because only a statement that begins after the lock was taken sees all events of the ended receiver.
    for (;;) {
      const { rowCount } = await query(TAKE, [id, gone, CHUNK])
      if ((rowCount ?? 0) > 0) onTaken()
      if ((rowCount ?? 0) < CHUNK) break
    }
    await query('DELETE FROM bnpl_inbox.receivers WHERE id = $1', [gone])
    await query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.receiver, gone])
  }
}

const MARK = 'UPDATE bnpl_inbox.receivers SET emitted_up_to = $2 WHERE id = $1 AND emitted_up_to < $2'

/**
 * Gives the events of an ended receiver new places after all events of this session, in their old order, so that this session prints them
 * next.
 */
const TAKE = `UPDATE bnpl_inbox.events e SET receiver = $1, place = taken.place
  FROM (SELECT seq, nextval('bnpl_inbox.event_numbers') AS place FROM
    (SELECT o.seq FROM bnpl_inbox.events o JOIN bnpl_inbox.receivers r ON r.id = o.receiver
     WHERE o.receiver = $2 AND o.fate = 'new' AND o.place > r.emitted_up_to ORDER BY o.place LIMIT $3) ordered) taken
  WHERE e.seq = taken.seq`
