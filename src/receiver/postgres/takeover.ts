import { LOCKS } from './schema.ts'
import type { Session } from './session.ts'

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
