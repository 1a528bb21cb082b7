import type { Clock } from '../domain/clock.ts'

export interface Pace {
  /** Resolves when a request or retry may be sent. Returns undefined if it may be sent now. After an abort, rejects with its reason. */
  ready(): Promise<void> | undefined
  pause(ms: number): void
  /** Milliseconds until requests are sent again, or 0 without a pause. */
  pausedFor(): number
}

/** Returns a pace, which decides when any worker of a run may send the next request. Without `perSecond` there is no limit. */
export function createPace(clock: Clock, signal: AbortSignal, perSecond?: number): Pace {
  const interval = perSecond === undefined ? 0 : 1000 / perSecond
  let pausedUntil = 0
  let nextSlot = 0

  const wait = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      const now = clock.monotonic()
      if (now < pausedUntil) {
        await clock.sleep(Math.ceil(pausedUntil - now), signal)
        continue
      }
      const slot = Math.max(now, nextSlot)
      nextSlot = slot + interval
      // Sending less than a millisecond early is fine. Check again after the wait, because a pause may have begun.
      if (slot - now >= 1) await clock.sleep(slot - now, signal)
      if (clock.monotonic() >= pausedUntil) return
    }
  }

  return {
    ready: () => (interval === 0 && pausedUntil === 0 && !signal.aborted ? undefined : wait()),
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms)
    },
    pausedFor: () => Math.max(0, pausedUntil - clock.monotonic()),
  }
}
