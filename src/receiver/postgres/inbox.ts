import type { Pool } from 'pg'
import type { Confirmation } from '../../domain/envelope.ts'
import { databaseFailure } from '../../postgres/failure.ts'
import { createPool, type DatabasePlan, databaseName } from '../../postgres/pool.ts'
import { migrateSchema } from '../../postgres/schema.ts'
import { type Inbox, OWN_DESTINATION, type OwnDestination, ownDestinationOf } from '../inbox.ts'
import { createDatabaseReader } from './reader.ts'
import { createReceiving } from './receiving.ts'
import { INBOX_SCHEMA } from './schema.ts'

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

/** Stores a fact as JSON. */
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
