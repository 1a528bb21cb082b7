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

const HOUR_MS = 3_600_000

let chile: Intl.DateTimeFormat | undefined

/**
 * Returns the day (YYYY-MM-DD) that it is in Chile, where the merchants and their customers are. In UTC the next day begins three or four
 * hours earlier, so that a payment in the evening would have the date of the next day.
 * @param at ms since 1970
 */
export function dayInChile(at: number): string {
  // Only between 03:00 and 04:00 in UTC does the day depend on summer time. Loading Node's time zones takes half as long as Node's start.
  const hours = new Date(at).getUTCHours() === 3 && !isFourHoursBehind(at) ? 3 : 4
  return new Date(at - hours * HOUR_MS).toISOString().slice(0, 10)
}

/** Whether the clocks of Chile are four hours behind UTC (in winter), and not three. */
function isFourHoursBehind(at: number): boolean {
  chile ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/Santiago', hour: 'numeric', hourCycle: 'h23' })
  return (Number(chile.format(at)) + 4) % 24 === new Date(at).getUTCHours()
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

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `500ms`, `30s`, `1m30s`, `2h`, `7d` or a bare number of seconds. Returns milliseconds, or undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1000)
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(trimmed)) return undefined
  let total = 0
  for (const part of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    total += Number(part[1]) * (UNITS[String(part[2])] ?? 0)
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined
}

/** Writes a duration in ms as its two largest units: `90_000` becomes `1m30s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`
  let rest = Math.round(ms / 1000)
  const parts: string[] = []
  for (const [unit, seconds] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.slice(0, 2).join('') || '0s'
}

/** A time in ms since 1970 is larger than this. A smaller number is a time in seconds. */
const LARGEST_SECONDS = 1e11

/** Returns a time that a service wrote in ms or in seconds since 1970, as ms since 1970. */
export const msSince1970 = (time: number): number => time * (time < LARGEST_SECONDS ? 1000 : 1)

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3). Returns the ms to wait, 0 for a date in the past, and undefined for any other value.
 * @param now ms since 1970
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const trimmed = value.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000
  // All date forms of RFC 9110 begin with a weekday. `Date.parse` alone would read `-1` as a year.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return undefined
  const date = Date.parse(trimmed)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
