import { relative } from 'node:path'
import { groupDigits } from '../domain/amount.ts'

/** Functions that write numbers for people in the format of the user's locale. Without a known locale, the format of Chile is used. */
export interface Numbers {
  /** Returns an amount such as `250.000`, or `CLP 250.000` if a currency is given. The specification names no currency (gap 19). */
  amount(amount: number, currency?: string): string
  count(count: number): string
  /** Returns a share as a percentage with one decimal: 0.1234 → `12,3 %`. */
  share(share: number): string
  /** Returns a rate as a percentage with at most four decimals: 0.0189 → `1,89 %`. */
  rate(rate: number): string
  /** Returns text such as `0,5`, without a thousands separator, and by default with as many decimals as the number has. */
  plain(value: number, decimals?: number): string
}

interface Signs {
  thousands: string
  decimal: string
}

const CHILE: Signs = { thousands: '.', decimal: ',' }

/** The signs of the two commonest locales. For any other, Node loads the data of all languages, which takes half as long as its start. */
const COMMON: Readonly<Record<string, Signs>> = { 'es-CL': CHILE, 'en-US': { thousands: ',', decimal: '.' } }

/** Returns functions that write numbers. The locale is `LC_ALL`, else `LC_NUMERIC`, else `LANG`; an empty value is ignored. */
export function createNumbers(env: Readonly<Record<string, string | undefined>>): Numbers {
  let found: Signs | undefined
  const signs = () => {
    found ??= signsOf(env.LC_ALL || env.LC_NUMERIC || env.LANG || '')
    return found
  }
  const count = (value: number) => groupDigits(value, signs().thousands)
  const plain = (value: number, decimals?: number) =>
    (decimals === undefined ? String(value) : value.toFixed(decimals)).replace('.', signs().decimal)
  return {
    amount: (amount, currency) => (currency === undefined ? count(amount) : `${currency} ${count(amount)}`),
    count,
    share: (share) => `${plain(share * 100, 1)} %`,
    rate: (rate) => `${plain(Number((rate * 100).toFixed(4)))} %`,
    plain,
  }
}

function signsOf(locale: string): Signs {
  const tag = /^[A-Za-z]{2,3}(?:_[A-Za-z]{2}|_\d{3})?(?=[.@]|$)/.exec(locale)?.[0].replace('_', '-')
  const common = COMMON[tag ?? '']
  if (common) return common
  if (tag === undefined || Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return CHILE
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(1_234_567.8)
  const sign = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value
  return { thousands: sign('group') ?? CHILE.thousands, decimal: sign('decimal') ?? CHILE.decimal }
}

/** Returns a time, in ISO 8601 or in ms since 1970, as local date and time, to the second. */
export function formatTime(time: string | number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Returns a function that formats the ISO 8601 times of a table, without the date if all are on the day of `now` (ms since 1970). */
export function timesOf(times: readonly string[], now: number): (iso: string) => string {
  const today = formatTime(now).slice(0, 10)
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
