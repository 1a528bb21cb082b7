import type { DatabaseSync } from 'node:sqlite'

const LENGTH = 1000

/**
 * Records the earliest and the latest time of receipt in every thousand events (a stretch), so that events can be found by time. With an
 * index of all times, storing an event would take a tenth longer.
 */
interface Stretches {
  begin(newest: number): void
  add(seq: number, receivedAt: number): void
}

/** Returns the functions that record the times of receipt. Only the one process that writes events may use them. */
export function createStretches(db: DatabaseSync): Stretches {
  const begun = db.prepare(
    `SELECT count(*) AS length, min(received_at) AS earliest, max(received_at) AS latest FROM events
     WHERE seq > (SELECT coalesce(max(last), 0) FROM stretches)`,
  )
  const keep = db.prepare('INSERT INTO stretches (last, earliest, latest) VALUES (?, ?, ?)')
  let last = -1
  let length = 0
  let earliest = Infinity
  let latest = -Infinity
  return {
    begin(newest) {
      if (newest === last) return
      const found = begun.get()
      length = Number(found?.length)
      earliest = Number(found?.earliest ?? Infinity)
      latest = Number(found?.latest ?? -Infinity)
      last = newest
    },
    add(seq, receivedAt) {
      last = seq
      length++
      earliest = Math.min(earliest, receivedAt)
      latest = Math.max(latest, receivedAt)
      if (length < LENGTH) return
      keep.run(last, earliest, latest)
      length = 0
      earliest = Infinity
      latest = -Infinity
    },
  }
}

/** SQL for an event number. Events that were received at or after `?` have higher numbers. */
export const BEFORE_SINCE = `(SELECT coalesce(max(last), 0) FROM stretches
  WHERE last < coalesce((SELECT min(last) FROM stretches WHERE latest >= ?), 9e18))`

/**
 * Returns the highest number of the events that were received before `before` (ms since 1970), or a number above it; 0 if no event was
 * received before that time.
 */
export function lastBefore(db: DatabaseSync, before: number): number {
  const ofStretches = db.prepare('SELECT max(last) AS seq FROM stretches WHERE earliest < ?').get(before)
  const ofRest = db
    .prepare(
      'SELECT max(seq) AS seq FROM events WHERE seq > (SELECT coalesce(max(last), 0) FROM stretches) AND received_at < ?',
    )
    .get(before)
  return Number(ofRest?.seq ?? ofStretches?.seq ?? 0)
}
