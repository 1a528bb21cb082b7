import type { Pool } from 'pg'

/** Implements `Inbox.prune` for a database. Deletes few events at a time, so that receivers never wait long. */
export async function pruneDatabase(pool: Pool, before: number): Promise<number> {
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
