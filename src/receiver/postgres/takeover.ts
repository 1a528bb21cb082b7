import { LOCKS } from './schema.ts'
import type { Session } from './session.ts'

/** Events that one statement takes over; its time is limited like that of any other. */
const CHUNK = 500

/**
 * Takes over the events that dead receivers did not write out. Their locks are free, so they cannot store more.
 * @param onTaken called at once, before anything that this session stores later can be acknowledged: the events have earlier places
 * @param known how far this process's last session, which may be one of them, has written out events
 */
export async function takeOver(
  session: Session,
  onTaken: () => void,
  known?: { id: number; emittedUpTo: number },
): Promise<void> {
  const { query, id } = session
  if (known) {
    const { id: own, emittedUpTo } = known
    await query('UPDATE bnpl_inbox.receivers SET emitted_up_to = $2 WHERE id = $1 AND emitted_up_to < $2', [
      own,
      emittedUpTo,
    ])
  }
  const { rows } = await query('SELECT id FROM bnpl_inbox.receivers WHERE id <> $1 AND pg_try_advisory_lock($2, id)', [
    id,
    LOCKS.receiver,
  ])
  for (const { id: gone } of rows) {
    // Use a separate statement, so that it sees all events that the other receiver stored before its lock was free.
    for (;;) {
      const { rowCount } = await query(TAKE, [id, gone, CHUNK])
      if ((rowCount ?? 0) > 0) onTaken()
      if ((rowCount ?? 0) < CHUNK) break
    }
    await query('DELETE FROM bnpl_inbox.receivers WHERE id = $1', [gone])
    await query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.receiver, gone])
  }
}

/** The events come after everything this session has stored, and keep their order. */
const TAKE = `UPDATE bnpl_inbox.events e SET receiver = $1, place = taken.place
  FROM (SELECT seq, nextval('bnpl_inbox.event_numbers') AS place FROM
    (SELECT o.seq FROM bnpl_inbox.events o JOIN bnpl_inbox.receivers r ON r.id = o.receiver
     WHERE o.receiver = $2 AND o.fate = 'new' AND o.place > r.emitted_up_to ORDER BY o.place LIMIT $3) ordered) taken
  WHERE e.seq = taken.seq`
