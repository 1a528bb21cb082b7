import type { Clock } from '../domain/clock.ts'
import { readSetting, writeSetting } from './store/settings.ts'
import type { Store } from './store/store.ts'

/** The time tokens, links and leads live by: the machine's clock, and whatever it was moved ahead. All processes share it. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): Promise<number>
  /** The time, and how far it was moved ahead of the machine's clock, both in ms. */
  reading(): Promise<{ now: number; aheadMs: number }>
  /** Moves the time ahead for good. @returns the new time */
  advance(ms: number): Promise<number>
  /** Milliseconds since 1970 of the machine, which nobody moves: for what one process holds against another. */
  machine(): number
  sleep: Clock['sleep']
  monotonic: Clock['monotonic']
}

export function createSandboxClock(store: Store, clock: Clock): SandboxClock {
  const offset = async (db = store.db) => Number((await readSetting(db, 'clockOffsetMs')) ?? 0)
  const reading = async () => {
    const machine = clock.now()
    const aheadMs = await offset()
    return { now: machine + aheadMs, aheadMs }
  }
  return {
    now: async () => (await reading()).now,
    reading,
    async advance(ms) {
      const moved = await store.transaction(async (db) => {
        const next = (await offset(db)) + ms
        await writeSetting(db, 'clockOffsetMs', String(next))
        return next
      })
      return clock.now() + moved
    },
    machine: clock.now,
    sleep: clock.sleep,
    monotonic: clock.monotonic,
  }
}

/** The text form of a time, as tables and answers carry it. */
export const iso = (ms: number): string => new Date(ms).toISOString()
