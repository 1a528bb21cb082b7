import type { DatabaseSync } from 'node:sqlite'
import { eventKey, shortHash } from '../event-key.ts'
import { lastBefore } from './stretches.ts'

/** How many events one transaction deletes. The number is small, so that a listener never waits long to write. */
const CHUNK = 500

/**
 * Implements `Inbox.prune` for a file. The hash of each deleted body stays, and so does the highest deleted number, because no number may
 * be used again. Deleted bodies are overwritten in the file, because they contain personal data.
 */
export function pruneFile(db: DatabaseSync, before: number): number {
  db.exec('PRAGMA secure_delete = ON')
  const old = db.prepare(
    `SELECT e.seq FROM events e JOIN destinations d ON d.id = e.destination LEFT JOIN forwards f ON f.seq = e.seq
     WHERE e.seq > ? AND e.seq <= ? AND e.received_at < ?
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
  const last = lastBefore(db, before)
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
  db.exec('DELETE FROM stretches WHERE last < coalesce((SELECT min(seq) FROM events), 9e18)')
  return pruned
}
