// Durations as the commands take them.

/** @type {Record<string, number>} */
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `11m`, `1h30m` → ms; undefined for another text. @param {string} text */
export function milliseconds(text) {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit = ''] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) total += Number(count) * (UNITS[unit] ?? 0)
  return total
}

/** `90s`, in the largest unit that is exact. @param {number} ms */
export function duration(ms) {
  const exact = Object.entries(UNITS).filter(([, size]) => ms > 0 && ms % size === 0)
  const [unit, size] = exact.at(-1) ?? ['s', 1000]
  return `${ms / size}${unit}`
}

/** `5s,30s` → waits in ms, an empty list for `none`; undefined for another text. @param {string} text */
export function schedule(text) {
  if (text === 'none') return []
  const waits = text.split(',').map((part) => milliseconds(part.trim()))
  return waits.every((wait) => wait !== undefined) ? waits : undefined
}

/** @param {readonly number[]} steps */
export const scheduleText = (steps) => (steps.length === 0 ? 'none' : steps.map(duration).join(','))
