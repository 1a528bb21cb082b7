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
