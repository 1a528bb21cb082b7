import type { DatabaseSync } from 'node:sqlite'
import type { Confirmation } from '../../domain/envelope.ts'
import {
  type Arrival,
  type ArrivalFate,
  type Batch,
  eventKey,
  type ForwardResult,
  OWN_DESTINATION,
  type Recorded,
  shortHash,
} from '../inbox.ts'
import { IS_WAITING } from './schema.ts'

/** Writes to the inbox. Only one process at a time may write events. */
export interface InboxWriter {
  commit(batch: Batch): Recorded[]
  setFact(name: string, value: string | undefined): void
  /** Removes the notes of all accounts about destinations that listeners registered. */
  forgetOwnDestinations(): void
  /** Writes at least this many bytes, to prove that the disk has room for them. */
  probe(bytes: number): void
  prune(before: number): number
  confirm(seq: number, confirmation: Confirmation): void
}

export function createInboxWriter(db: DatabaseSync): InboxWriter {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const keepFact = db.prepare(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const forgetFact = db.prepare('DELETE FROM facts WHERE name = ?')
  const keepConfirmation = db.prepare(
    'INSERT OR REPLACE INTO confirmations (seq, agrees, differences, at) VALUES (?, ?, ?, ?)',
  )
  const record = createRecorder(db)
  const forwarded = createForwards(db)
  return {
    commit({ arrivals, forwards, emittedUpTo }) {
      for (const { destination } of arrivals) record.introduce(destination)
      begin.run()
      const recorded = record.all(arrivals)
      for (const result of forwards) forwarded(result)
      if (emittedUpTo !== undefined) keepFact.run('emitted_up_to', String(emittedUpTo))
      commit.run()
      return recorded
    },
    setFact(name, value) {
      if (value === undefined) forgetFact.run(name)
      else keepFact.run(name, value)
    },
    forgetOwnDestinations: () => db.exec(`DELETE FROM facts WHERE name GLOB '${OWN_DESTINATION}*'`),
    probe(bytes) {
      keepFact.run('probe', String(Math.random()).padEnd(bytes, '0'))
      if (bytes > 0) keepFact.run('probe', '')
    },
    prune: (before) => pruneFile(db, before),
    confirm: (seq, { agrees, differences, at }) =>
      void keepConfirmation.run(seq, agrees ? 1 : 0, JSON.stringify(differences), at),
  }
}

function createRecorder(db: DatabaseSync) {
  const destinations = new Map<string, number>()
  const addDestination = db.prepare('INSERT OR IGNORE INTO destinations (name) VALUES (?)')
  const findDestination = db.prepare('SELECT id FROM destinations WHERE name = ?')
  const see = db.prepare('INSERT INTO seen (key, seq) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const seen = db.prepare('SELECT seq FROM seen WHERE key = ?')
  const bodyHash = db.prepare('SELECT body FROM seen WHERE key = ?')
  const bodyOf = db.prepare('SELECT body FROM events WHERE seq = ?')
  const store = db.prepare(
    `INSERT INTO events (seq, destination, scheme, fate, event_id, event, odd, variant_of, body, content_type, signature, received_at, forward)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // The newest event may have been pruned, and its number must not be used again.
  const newest = db.prepare(
    `SELECT max(coalesce((SELECT max(seq) FROM events), 0), CAST(value AS INTEGER)) AS seq FROM facts WHERE name = 'pruned_up_to'`,
  )
  let last = 0

  const keep = (arrival: Arrival, destination: number, fate: ArrivalFate, variantOf: number | null): Recorded => {
    last++
    store.run(
      last,
      destination,
      arrival.scheme,
      fate,
      arrival.eventId,
      arrival.event,
      arrival.odd,
      variantOf,
      arrival.body,
      arrival.contentType,
      arrival.signature,
      arrival.receivedAt,
      fate === 'new' && arrival.forward ? 1 : 0,
    )
    return { fate, seq: last }
  }
  const unlessSeen = (key: string, store: () => Recorded): Recorded => {
    if (see.run(key, last + 1).changes > 0) return store()
    return { fate: 'duplicate', seq: Number(seen.get(key)?.seq) }
  }
  const one = (arrival: Arrival): Recorded => {
    const destination = destinations.get(arrival.destination) ?? 0
    const { eventId, body } = arrival
    if (eventId === null || arrival.odd !== null)
      return unlessSeen(shortHash(`odd ${destination} ${shortHash(body)}`), () =>
        keep(arrival, destination, 'quarantined', null),
      )
    const key = eventKey(destination, eventId)
    const known = unlessSeen(key, () => keep(arrival, destination, 'new', null))
    if (known.fate === 'new' || isSameBody(known.seq, key, body)) return known
    return unlessSeen(shortHash(`variant ${destination} ${shortHash(body)} ${eventId}`), () =>
      keep(arrival, destination, 'variant', known.seq),
    )
  }
  const isSameBody = (seq: number, key: string, body: Uint8Array): boolean => {
    const stored = bodyOf.get(seq)?.body
    if (stored instanceof Uint8Array) return Buffer.compare(stored, body) === 0
    return bodyHash.get(key)?.body === shortHash(body)
  }
  return {
    /** Gives a destination its number. Call this outside any transaction, because the copy of the number in memory is not rolled back. */
    introduce(name: string) {
      if (destinations.has(name)) return
      addDestination.run(name)
      destinations.set(name, Number(findDestination.get(name)?.id))
    },
    all(arrivals: readonly Arrival[]): Recorded[] {
      // Read the last number each time, because after a rollback the number in memory would be wrong.
      last = Number(newest.get()?.seq)
      return arrivals.map(one)
    },
  }
}

function createForwards(db: DatabaseSync): (result: ForwardResult) => void {
  // If `events replay` has delivered the event meanwhile, the event stays delivered. If `events prune` has deleted it, nothing is stored.
  const keep = db.prepare(
    `INSERT INTO forwards (seq, state, attempts, status, error, answer, ms, at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM events WHERE seq = ?1)
     ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts, status = excluded.status,
       error = excluded.error, answer = excluded.answer, ms = excluded.ms, at = excluded.at
       WHERE forwards.state = 'retrying' OR excluded.state = 'delivered'`,
  )
  // Events of a destination are forwarded in order, so the progress is the number before the first event that waits. It also passes the
  // later events that were replayed, so that they are not read again.
  const advance = db.prepare(
    `UPDATE destinations SET forwarded_up_to = max(forwarded_up_to, coalesce(
       (SELECT e.seq - 1 FROM events e WHERE e.destination = destinations.id AND e.seq > forwarded_up_to AND ${IS_WAITING}
        ORDER BY e.seq LIMIT 1),
       (SELECT max(e.seq) FROM events e WHERE e.destination = destinations.id AND e.forward = 1)))
     WHERE id = (SELECT destination FROM events WHERE seq = ?1 AND forward = 1) AND forwarded_up_to < ?1`,
  )
  return ({ seq, state, attempts, status, error, answer = null, ms, at }) => {
    keep.run(seq, state, attempts, status, error, answer, Math.round(ms), at)
    if (state !== 'retrying') advance.run(seq)
  }
}

/** How many events one transaction deletes. The number is small, so that a listener never waits long to write. */
const CHUNK = 500

/**
 * Implements `Inbox.prune` for a file. The hash of each deleted body stays, and so does the highest deleted number, because no number may
 * be used again. Deleted bodies are overwritten in the file, because they contain personal data.
 */
function pruneFile(db: DatabaseSync, before: number): number {
  db.exec('PRAGMA secure_delete = ON')
  const old = db.prepare(
    `SELECT e.seq FROM events e JOIN destinations d ON d.id = e.destination LEFT JOIN forwards f ON f.seq = e.seq
     WHERE e.seq > ? AND e.seq <= ? AND +e.received_at < ?
     AND (e.fate != 'new' OR e.seq <= coalesce((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'emitted_up_to'), 0))
     AND (e.forward = 0 OR e.seq <= d.forwarded_up_to OR f.state = 'delivered') AND coalesce(f.state, '') != 'dead'
     ORDER BY e.seq LIMIT ${CHUNK}`,
  )
  const event = db.prepare('SELECT destination, event_id AS eventId, fate, body FROM events WHERE seq = ?')
  const keepHash = db.prepare('UPDATE seen SET body = ? WHERE key = ?')
  const keepNumber = db.prepare(
    `UPDATE facts SET value = ?1 WHERE name = 'pruned_up_to' AND CAST(value AS INTEGER) < CAST(?1 AS INTEGER)`,
  )
  const remove = ['events', 'forwards', 'confirmations'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE seq = ?`),
  )
  const last = Number(db.prepare('SELECT max(+seq) AS seq FROM events WHERE received_at < ?').get(before)?.seq ?? 0)
  let pruned = 0
  let looked = 0
  for (;;) {
    db.exec('BEGIN IMMEDIATE')
    const seqs = old.all(looked, last, before).map(({ seq }) => Number(seq))
    for (const seq of seqs) {
      const { destination, eventId, fate, body } = event.get(seq) ?? {}
      if (fate === 'new' && body instanceof Uint8Array)
        keepHash.run(shortHash(body), eventKey(Number(destination), String(eventId)))
      for (const each of remove) each.run(seq)
    }
    keepNumber.run(String(seqs.at(-1) ?? 0))
    db.exec('COMMIT')
    pruned += seqs.length
    looked = seqs.at(-1) ?? last
    if (seqs.length === 0) break
  }
  return pruned
}
