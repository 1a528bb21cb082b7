export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that never jump, for measuring durations. */
  monotonic(): number
  /** Waits. Rejects with the signal's reason when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Returns the ms to give to a timer for a duration: at most 24.8 days, because a timer of Node fires at once if its time is longer. No call
 * lasts that long, so a longer limit need not be kept exactly.
 */
export const timerMs = (ms: number): number => Math.min(ms, LONGEST_TIMER_MS)

let chile: Intl.DateTimeFormat | undefined

/**
 * Returns the day (YYYY-MM-DD) that it is in Chile, where the merchants and their customers are. In UTC the next day begins three or four
 * hours earlier, so that a payment in the evening would have the date of the next day.
 * @param at ms since 1970
 */
export function dayInChile(at: number): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  chile ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/Santiago', ...parts })
  const found = chile.formatToParts(at)
  const [year = '', month, day] = Object.keys(parts).map((name) => found.find(({ type }) => type === name)?.value)
  return `${year.padStart(4, '0')}-${month}-${day}`
}

/** Returns the result of a promise, or undefined when the promise fails or takes longer than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T | undefined> {
  const over = new AbortController()
  const late = clock.sleep(ms, over.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([promise, late])
  } catch {
    return undefined
  } finally {
    over.abort()
  }
}
