import { h } from './dom.js'
import { locale, t } from './texts.js'

let movedMs = Number.NaN
/** How far the sandbox's clock is ahead of this browser's clock, in ms. */
let offsetMs = 0

/**
 * Calculates how far the sandbox's clock is ahead of this browser's clock. An answer that arrives late makes the sandbox's clock look slow,
 * but never fast. So the largest difference is the most exact, until somebody moves the sandbox's clock.
 * @param {{ now: string, aheadMs: number }} reading
 */
export function setClock({ now, aheadMs }) {
  const measured = Date.parse(now) - Date.now()
  offsetMs = aheadMs === movedMs ? Math.max(offsetMs, measured) : measured
  movedMs = aheadMs
}

/** @returns {number} the sandbox's time, in ms */
export const sandboxNow = () => Date.now() + offsetMs

/** Returns how far the sandbox's clock was moved ahead, in ms. */
export const moved = () => movedMs

const pad = (/** @type {number} */ count) => String(count).padStart(2, '0')

/** Returns a time such as `14:32:08`, with the date in front if it is not today. @param {string} iso */
export function clockTime(iso) {
  const at = new Date(iso)
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
  const isToday = at.toDateString() === new Date(sandboxNow()).toDateString()
  return isToday ? time : `${day(iso)} ${time}`
}

/** Returns an element with a time as `clockTime` writes it. Its tooltip also shows the date. @param {string} iso */
export const when = (iso) => h('time', { datetime: iso, title: withDate(new Date(iso)) }, clockTime(iso))

/** Returns a time such as `2026-11-22 14:32:08`. The browser's own formats are too slow for fifty rows. @param {Date} at */
function withDate(at) {
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(pad).join('-')
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join(':')}`
}

/** Returns a time, and how long ago it was. @param {string} iso */
export const whenAgo = (iso) => [
  when(iso),
  ' ',
  h('span', { class: 'soft', 'data-since': iso }, ago(Date.parse(iso), sandboxNow())),
]

/**
 * Returns a function that creates a format only at its first use, because creating it takes some time.
 * @template T @param {() => T} make
 */
function once(make) {
  /** @type {T | undefined} */
  let made
  return () => {
    made ??= make()
    return made
  }
}

const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
const dayAndMonth = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }))

/** @param {number} at ms @param {number} now ms */
function ago(at, now) {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000))
  if (minutes < 1) return relative().format(0, 'second')
  if (minutes < 60) return relative().format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? relative().format(-hours, 'hour') : relative().format(-Math.floor(hours / 24), 'day')
}

/** @param {string} iso a time or a date */
export function day(iso) {
  const at = new Date(iso.length === 10 ? `${iso}T12:00:00` : iso)
  return dayAndMonth().format(at)
}

/** Returns a duration such as `9:41`, `1:02:03`, `2 d 4 h`. @param {number} ms */
export function span(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`
  const hours = Math.floor(seconds / 3600)
  const rest = `${hours > 0 ? pad(Math.floor((seconds % 3600) / 60)) : Math.floor(seconds / 60)}:${pad(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** Lets an element count down to a time. @param {string} until ISO 8601 @param {HTMLElement} element */
export function countingDown(until, element) {
  element.dataset.until = until
  element.textContent = span(Date.parse(until) - sandboxNow())
  return element
}

/** Twice a second, updates the countdowns and the “5 min ago” texts of the page, and calls `tick`. @param {(now: number) => void} tick */
export function startTicking(tick) {
  const beat = () => {
    const now = sandboxNow()
    for (const element of document.querySelectorAll('[data-until]')) {
      if (!(element instanceof HTMLElement)) continue
      const left = Date.parse(element.dataset.until ?? '') - now
      element.textContent = span(left)
      element.classList.toggle('soon', left < 60_000)
    }
    for (const element of document.querySelectorAll('[data-since]')) {
      if (!(element instanceof HTMLElement)) continue
      const words = ago(Date.parse(element.dataset.since ?? ''), now)
      if (element.textContent !== words) element.textContent = words
    }
    tick(now)
  }
  setInterval(beat, 500)
  beat()
}

/** Returns a number such as `1,234`. @param {number} count */
export const grouped = (count) => count.toLocaleString(locale)

/** Returns an amount such as `$250,000`. @param {number} units */
export const amount = (units) => `$${grouped(units)}`

/** Returns a duration such as `42 ms`, `1.3 s`. @param {number} ms */
export const took = (ms) =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 })} s`

/** @param {string | null} iso */
export const at = (iso) => (iso === null ? t.none : clockTime(iso))

/** Returns a rough duration such as `40 s`, `11 min`, `3 h 5 min`, `2 d 4 h`. @param {number} ms */
export function aboutTime(ms) {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1000)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
