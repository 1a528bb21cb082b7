import type { Clock } from '../../domain/clock.ts'
import { readSetting, writeSetting } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'

/**
 * The time tokens, links and leads live by: that of the database, or of the machine where a file is shared on one, and whatever it was moved
 * ahead. It is asked for each time and never worked out from an earlier answer: a machine's clock may jump while it runs.
 */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): Promise<number>
  /** The time, and how far it was moved ahead, both in ms. */
  reading(): Promise<{ now: number; aheadMs: number }>
  /** Moves the time ahead for good. @returns the new time */
  advance(ms: number): Promise<number>
  /**
   * Milliseconds since 1970 that nobody moves: what processes hold against each other.
   * @param db the transaction that is under way, if one is
   */
  unmoved(db?: Db): Promise<number>
  sleep: Clock['sleep']
  monotonic: Clock['monotonic']
}

export function createSandboxClock(store: Store, clock: Clock): SandboxClock {
  const offset = async (db: Db) => Number((await readSetting(db, 'clockOffsetMs')) ?? 0)
  const unmoved = async (db = store.db) => {
    const { time } = store
    if (time === undefined) return clock.now()
    return (await db.selectNoFrom(time.as('now')).executeTakeFirstOrThrow()).now
  }
  const reading = async () => {
    const { db, time } = store
    if (time === undefined) {
      const machine = clock.now()
      const aheadMs = await offset(db)
      return { now: machine + aheadMs, aheadMs }
    }
    // Every call asks for it: one round trip.
    const read = await db
      .selectNoFrom((select) => [
        time.as('unmoved'),
        select.selectFrom('settings').select('value').where('name', '=', 'clockOffsetMs').as('ahead'),
      ])
      .executeTakeFirstOrThrow()
    const aheadMs = Number(read.ahead ?? 0)
    return { now: read.unmoved + aheadMs, aheadMs }
  }
  return {
    now: async () => (await reading()).now,
    reading,
    advance: (ms) =>
      store.transaction(async (db) => {
        const next = (await offset(db)) + ms
        await writeSetting(db, 'clockOffsetMs', String(next))
        return (await unmoved(db)) + next
      }),
    unmoved,
    sleep: clock.sleep,
    monotonic: clock.monotonic,
  }
}

/** The text form of a time, as tables and answers carry it. */
export const iso = (ms: number): string => new Date(ms).toISOString()
