import { timerMs } from './domain/clock.ts'

/**
 * Returns a function that calls `make` only the first time, and returns the same value every time, even if it is a promise that rejects.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export type Close = () => Promise<unknown>

/**
 * Runs every closer, beginning with the last one in the list, and empties the list. If a closer fails, the others still run. Returns the
 * errors of the closers that failed, and never throws.
 */
export async function closeAll(closers: Close[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (let close = closers.pop(); close; close = closers.pop()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  return failures
}

/** How late a timer may be in a process that is not busy, in ms. */
const HELD_UP_MS = 100

/** The extra time after a hold-up, in ms. An answer that has arrived may need several reads, or its sender may have to send a part again. */
const EXTRA_MS = 1000

interface Deadline {
  /** Starts the time again. */
  refresh(): void
  clear(): void
}

/**
 * Calls `late` when `ms` have passed and what arrived in this time was read. Node runs its timers before it reads from sockets. So after
 * a hold-up (the machine slept, the process was stopped, or its terminal blocked), a plain timer would give up an answer that has long
 * arrived.
 */
export function startDeadline(ms: number, late: () => void): Deadline {
  let started = performance.now()
  let extra: NodeJS.Timeout | undefined
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    const heldUpMs = performance.now() - started - ms
    if (heldUpMs > HELD_UP_MS) extra = setTimeout(late, EXTRA_MS)
    else turn = setImmediate(late)
  }, timerMs(ms))
  const clearEnd = () => {
    clearTimeout(extra)
    clearImmediate(turn)
  }
  return {
    clear() {
      clearTimeout(timer)
      clearEnd()
    },
    refresh() {
      clearEnd()
      started = performance.now()
      timer.refresh()
    },
  }
}
