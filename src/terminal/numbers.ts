import { groupDigits } from '../domain/amount.ts'

/** How numbers are written for people: as in Chile, or as the user's locale says. JSON and CSV have plain numbers. */
export interface Numbers {
  /** An amount, with the profile's currency sign, if set (gap 19): `250.000`. */
  amount(amount: number, currency?: string): string
  /** A whole number: `1.234.567`. */
  count(count: number): string
  /** A share as a percentage with one decimal: 0.1234 → `12,3 %`. */
  share(share: number): string
  /** A rate as a percentage, as exact as it was sent, to four decimals: 0.0189 → `1,89 %`. */
  rate(rate: number): string
  /** Any number, with the decimal sign alone: `0,5`. @param decimals their number; as many as it has, unless given */
  plain(value: number, decimals?: number): string
}

interface Signs {
  thousands: string
  decimal: string
}

/** Where the locale does not say: as the service's own pages and reports write numbers. */
const CHILE: Signs = { thousands: '.', decimal: ',' }

/** @param env its `LC_ALL`, `LC_NUMERIC` or `LANG`, the first that is set, is the locale */
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

/** The signs of a locale such as `en_US.UTF-8`. Its digits are always 0 to 9, in groups of three. */
function signsOf(locale: string): Signs {
  const tag = /^[A-Za-z]{2,3}(?:_[A-Za-z]{2}|_\d{3})?(?=[.@]|$)/.exec(locale)?.[0].replace('_', '-')
  if (tag === undefined || Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return CHILE
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(1_234_567.8)
  const sign = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value
  return { thousands: sign('group') ?? CHILE.thousands, decimal: sign('decimal') ?? CHILE.decimal }
}
