/** A day such as `2026-03-01`, as the specification shows dates, or a moment such as `2026-03-01T22:30:00Z`, as some services write them. */
export const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

/** Returns the day of a date in UTC, such as `2026-03-01`. A text that is not a date is returned as it is. */
export function dayOf(date: string): string {
  if (!DATE.test(date) || date.length === 10) return date
  const at = new Date(date)
  return Number.isNaN(at.getTime()) ? date.slice(0, 10) : at.toISOString().slice(0, 10)
}

/** Whether a text is a date that exists. The 30th of February does not, and neither does 25:61. */
export function isRealDate(text: string): boolean {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return DATE.test(text) && !Number.isNaN(day) && dayAt(day) === text.slice(0, 10) && !Number.isNaN(Date.parse(text))
}

/** Returns the day in UTC of a time in ms since 1970. */
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns how many days of UTC a date is after another one. NaN if one of them is not a date. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(dayOf(to)) - Date.parse(dayOf(from))) / 86_400_000)

/** Whether a text is a day without a time. */
export const isDay = (text: string): boolean => text.length === 10 && DATE.test(text)

/** Whether two texts are the same moment, such as `2026-03-01T10:00:00Z` and `2026-03-01T10:00:00.000Z`. */
export const isSameMoment = (a: string, b: string): boolean =>
  DATE.test(a) && DATE.test(b) && Date.parse(a) === Date.parse(b)

/** Whether two dates are on the same day in UTC. False for texts that are not dates. */
export const isSameDay = (a: string, b: string): boolean => DATE.test(a) && DATE.test(b) && dayOf(a) === dayOf(b)
