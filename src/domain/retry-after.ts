/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): whole seconds or an HTTP date; a date that has passed is 0.
 * @param now ms since 1970
 * @returns ms to wait; undefined for no header, and for anything else in it
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const trimmed = value.trim()
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000
  // Only the three date forms of RFC 9110 begin with a weekday; `Date.parse` alone would read `-1` as a year.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return undefined
  const date = Date.parse(trimmed)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
