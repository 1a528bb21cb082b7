import { relative } from 'node:path'

/** Returns an ISO 8601 time as local date and time, to the second. */
export function formatTime(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Returns a function that formats the ISO 8601 times of a table, without the date if all are on the day of `now` (ms since 1970). */
export function timesOf(times: readonly string[], now: number): (iso: string) => string {
  const today = formatTime(new Date(now).toISOString()).slice(0, 10)
  return times.every((each) => formatTime(each).startsWith(today)) ? (iso) => formatTime(iso).slice(11) : formatTime
}

/** Returns a size as text for people: `980 B`, `12.3 kB`, `209.7 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** Returns the short form of a path: relative if it is below the current folder, otherwise absolute. */
export function formatPath(cwd: string, path: string): string {
  const below = relative(cwd, path)
  return below === '' || below.startsWith('..') ? path : below
}

/** Returns a number with its noun, such as `1 run` or `3 runs`. The plural of the noun must end with `s`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
