import { WireFailure, type WireRequest } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import { readSetting, writeSetting } from '../store/partners.ts'
import type { Store } from '../store/store.ts'

/**
 * The clock that decides when tokens and links expire, and when leads are evaluated. It shows the time of the machine,
 * plus the time by which it was moved ahead. Each function reads the time again whenever it is called,
 * because the clock of a machine may jump while the sandbox runs.
 */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The time, and by how much it was moved ahead, both in ms. */
  reading(): { now: number; aheadMs: number }
  /** Moves the time ahead permanently. @returns the new time */
  advance(ms: number): number
  /** The time of the machine, which is never moved ahead, in ms since 1970. `advance` cannot end a claim on a delivery, which ends by it. */
  unmoved(): number
  sleep: Clock['sleep']
  monotonic: Clock['monotonic']
}

/** Makes the clock of a sandbox. @param clock the machine's clock */
export function createSandboxClock(store: Store, clock: Clock): SandboxClock {
  const reading = () => {
    const aheadMs = Number(readSetting(store.db, 'clockOffsetMs') ?? 0)
    return { now: clock.now() + aheadMs, aheadMs }
  }
  return {
    now: () => reading().now,
    reading,
    advance: (ms) =>
      store.transaction((db) => {
        const next = Number(readSetting(db, 'clockOffsetMs') ?? 0) + ms
        writeSetting(db, 'clockOffsetMs', String(next))
        return clock.now() + next
      }),
    unmoved: clock.now,
    sleep: clock.sleep,
    monotonic: clock.monotonic,
  }
}

/** How long a caller waits for an answer, in ms, and the signal with which the caller stops waiting earlier. */
export type Caller = Pick<WireRequest, 'timeoutMs' | 'signal'>

/** Delays the answer to a caller, and records whether the caller still waits. The request is processed in either case. */
export interface Waiting {
  /** Waits `ms`, but not longer than the caller waits. Never throws. */
  wait(ms: number): Promise<void>
  /** Returns the fault that replaces the answer if the caller has stopped waiting; otherwise undefined. */
  left(): WireFailure | undefined
}

/**
 * Returns an object that delays an answer and watches whether the caller still waits for it.
 * @param sleep the `sleep` of the machine's clock, because a caller waits in real time, whatever the sandbox's clock shows
 */
export function waitingOf(sleep: Clock['sleep'], caller: Caller): Waiting {
  let left: WireFailure | undefined
  return {
    async wait(ms) {
      if (left !== undefined || ms === 0) return
      await delay(sleep, ms, caller).catch((fault: WireFailure) => {
        left = fault
      })
    },
    left: () => left,
  }
}

/** Waits `ms`. Throws `WireFailure` when the caller's own time limit has passed, or when the caller has stopped waiting. */
export async function delay(sleep: Clock['sleep'], ms: number, caller: Caller): Promise<void> {
  try {
    await sleep(Math.min(ms, caller.timeoutMs), caller.signal)
  } catch (error) {
    throw new WireFailure('aborted', true, 'interrupted', error)
  }
  if (ms >= caller.timeoutMs) throw new WireFailure('timeout', true, `no complete answer within ${caller.timeoutMs} ms`)
}
