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
  if (tag === undefined || Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return CHILE
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(1_234_567.8)
  const sign = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value
  return { thousands: sign('group') ?? CHILE.thousands, decimal: sign('decimal') ?? CHILE.decimal }
}
