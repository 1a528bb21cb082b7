/** @type {Record<string, number>} */
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns the ms of a text such as `11m` or `1h30m`; undefined for any other text. @param {string} text */
export function milliseconds(text) {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit = ''] of text.matchAll(/(\d+)(ms|s|m|h|d)/g)) total += Number(count) * (UNITS[unit] ?? 0)
  return total
}

/** Returns a duration such as `90s`, in the largest unit without a remainder. @param {number} ms */
export function duration(ms) {
  const exact = Object.entries(UNITS).filter(([, size]) => ms > 0 && ms % size === 0)
  const [unit, size] = exact.at(-1) ?? ['s', 1000]
  return `${ms / size}${unit}`
}

/** Returns the waits of a text such as `5s,30s`, in ms. `none` means no waits. Undefined for any other text. @param {string} text */
export function schedule(text) {
  if (text === 'none') return []
  const waits = text.split(',').map((part) => milliseconds(part.trim()))
  return waits.every((wait) => wait !== undefined) ? waits : undefined
}

/** @param {readonly number[]} steps */
export const scheduleText = (steps) => (steps.length === 0 ? 'none' : steps.map(duration).join(','))
