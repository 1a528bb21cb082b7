import type { Confirmation } from '../../domain/event-agreement.ts'
import { BnplError } from '../../errors.ts'
import { databaseFailure, isOutage, POOLED } from '../../postgres/failure.ts'
import { createPool, type DatabasePlan, databaseName } from '../../postgres/pool.ts'
import { migrateSchema } from '../../postgres/schema.ts'
import type { Batch, Inbox, News, OwnDestination } from '../inbox.ts'
import { inTurn } from './in-turn.ts'
import { prune } from './prune.ts'
import { createReader } from './reader.ts'
import { record } from './recorder.ts'
import { CHANNEL, INBOX_SCHEMA, LOCKS } from './schema.ts'
import { keepSession, type Session, type SessionKeeper } from './session.ts'
import { takeOver } from './takeover.ts'

/** How often a receiver looks for what others left behind, in ms. */
const LOOK_MS = 1000
/** Others are told of something to forward at most this often, in ms. */
const TELL_MS = 20
/** For reading, and for what people do with the inbox: pruning may take its time. */
const READ_MS = 30_000

/**
 * The inbox in a PostgreSQL database, where any number of receivers may share it. What is stored is on the server's disk when it is
 * acknowledged; while the server is away everything throws `network` at once. Throws `config` for a database that cannot be used.
 * @param notice says, on stderr, that the database was lost, and that it is back
 */
export async function openPostgresInbox(plan: DatabasePlan, notice: (text: string) => void): Promise<Inbox> {
  const name = databaseName(plan)
  const pool = createPool(plan, { application: 'bnpl inbox', connections: 3, statementMs: READ_MS })
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(databaseFailure(name, error)))
  const reader = createReader(pool)
  const numbers = new Map<string, number>()
  let keeper: SessionKeeper | undefined
  let tell = (_: News) => {}
  let onFault = (_: unknown) => {}
  let looking: NodeJS.Timeout | undefined
  let telling: NodeJS.Timeout | undefined
  let emittedUpTo = 0

  /** Does work on the receiver's own connection. */
  const inSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    if (!keeper) throw new Error('nobody receives into this inbox')
    const session = keeper.current()
    try {
      return await work(session)
    } catch (error) {
      tell('more')
      const failure = keeper.failed(session, error)
      if (endsAll(failure)) onFault(failure)
      throw failure
    }
  }
  const look = async (): Promise<void> => {
    const work = async (session: Session) => {
      await session.check()
      await takeOver(session, () => tell('more'))
    }
    // What failed was reported by `inSession`, or when the database was lost.
    await inSession(work).catch(() => {})
    tell('more')
  }
  const tellOthers = (): void => {
    telling ??= setTimeout(() => {
      telling = undefined
      // They look by themselves every second.
      pool.query(`NOTIFY ${CHANNEL}`).catch(() => {})
    }, TELL_MS)
  }
  // In turn as a whole: the numbers of what was acknowledged first come first.
  const commit = inTurn(async (batch: Batch) => {
    emittedUpTo = Math.max(emittedUpTo, batch.emittedUpTo ?? 0)
    if (!keeper)
      return guarded(record({ id: 0, query: (text, values) => pool.query(text as string, values) }, batch, numbers))
    return inSession(async (session) => {
      const recorded = await record(session, batch, numbers)
      const foreign = batch.arrivals.some(
        ({ forward, destination }, i) => forward && recorded[i]?.fate === 'new' && !session.held.has(destination),
      )
      if (foreign) tellOthers()
      return recorded
    })
  })
  try {
    await bringUp(pool, name)
  } catch (error) {
    await pool.end().catch(() => {})
    throw databaseFailure(name, error)
  }
  return {
    shared: true,
    async claim({ pid, address }) {
      keeper = await keepSession(plan, {
        pid,
        address,
        notice,
        onFault: (error) => onFault(error),
        onLost: () => tell('lost'),
        onNews: () => tell('more'),
        onOpen: async (session, before) => {
          await takeOver(session, () => {}, before && { id: before.id, emittedUpTo })
        },
      })
      looking = setInterval(() => void look(), LOOK_MS)
    },
    watch(listener, fault) {
      tell = listener
      onFault = fault
    },
    take: (destination) =>
      inSession(async ({ query, held, isFresh, check }) => {
        if (!isFresh()) await check()
        if (held.has(destination)) return true
        const { rows } = await query(
          'SELECT pg_try_advisory_lock($1, id) AS mine FROM bnpl_inbox.destinations WHERE name = $2',
          [LOCKS.destination, destination],
        )
        if (rows[0]?.mine) held.add(destination)
        return held.has(destination)
      }),
    release: (destination) =>
      inSession(async ({ query, held }) => {
        if (!held.delete(destination)) return
        await query('SELECT pg_advisory_unlock($1, id) FROM bnpl_inbox.destinations WHERE name = $2', [
          LOCKS.destination,
          destination,
        ])
      }),
    holds: (destination) => {
      try {
        const session = keeper?.current()
        if (!session?.isFresh()) return false
        return destination === undefined || session.held.has(destination)
      } catch {
        return false
      }
    },
    commit,
    probe: () => inSession(({ query }) => query(PROBE, [String(Math.random())])).then(() => {}),
    emittedUpTo: async () => emittedUpTo,
    // What cannot be read now is read when the database is back, of which `watch` tells.
    async emittable(place, limit) {
      try {
        const session = keeper?.current()
        const events = await guarded(reader.emittable(session?.id ?? 0, place, limit))
        // Another receiver may have taken them over while this process was stopped.
        if (session && !session.isFresh()) await inSession(({ check }) => check())
        return session === keeper?.current() ? events : []
      } catch (error) {
        if (isOutage(error)) return []
        throw error
      }
    },
    waitingDestinations: () => guarded(reader.waitingDestinations()),
    waiting: (...args) => guarded(reader.waiting(...args)),
    backlog: () => guarded(reader.backlog()),
    find: (query) => guarded(reader.find(query)),
    ownDestination: () => guarded(reader.ownDestination()),
    setOwnDestination: (destination) => guarded(setOwn(pool, destination)),
    confirm: (seq, confirmation) => guarded(confirm(pool, seq, confirmation)),
    prune: (before) => guarded(prune(pool, before)),
    async close() {
      clearInterval(looking)
      clearTimeout(telling)
      await keeper?.close()
      await pool.end()
    },
  }
}

/** Whether a receiver cannot go on after it. */
const endsAll = (failure: unknown): boolean => !(failure instanceof BnplError) || failure.code === POOLED

async function bringUp(pool: ReturnType<typeof createPool>, name: string): Promise<void> {
  const client = await pool.connect()
  try {
    await migrateSchema(client, INBOX_SCHEMA, name)
  } finally {
    client.release()
  }
}

const PROBE = `INSERT INTO bnpl_inbox.facts (name, value) VALUES ('probe', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

async function confirm(pool: ReturnType<typeof createPool>, seq: number, confirmation: Confirmation): Promise<void> {
  const { agrees, differences, at } = confirmation
  await pool.query(
    `INSERT INTO bnpl_inbox.confirmations (seq, agrees, differences, at) VALUES ($1, $2, $3, $4) ON CONFLICT (seq)
     DO UPDATE SET agrees = excluded.agrees, differences = excluded.differences, at = excluded.at`,
    [seq, agrees, JSON.stringify(differences), at],
  )
}

async function setOwn(pool: ReturnType<typeof createPool>, destination: OwnDestination | undefined): Promise<void> {
  if (destination === undefined) {
    await pool.query(`DELETE FROM bnpl_inbox.facts WHERE name = 'own_destination'`)
    return
  }
  await pool.query(
    `INSERT INTO bnpl_inbox.facts (name, value) VALUES ('own_destination', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(destination)],
  )
}
