import { parseAmount } from '../domain/amount.ts'
import { DATE } from '../domain/dates.ts'

type Read = { ok: true; value: number | string } | { ok: false; reason: string }

const whole = (text: string): Read => {
  const read = parseAmount(text)
  return read.ok ? { ok: true, value: read.amount } : read
}

/** Reads a rate: a decimal fraction as the service sends it, or a number of percent. */
const rate = (text: string): Read => {
  const [, number, percent] = /^(\d{1,3}(?:[.,]\d{1,12})?)\s*(%?)$/.exec(text) ?? []
  const value = Number(number?.replace(',', '.')) / (percent === '%' ? 100 : 1)
  return value <= 1
    ? { ok: true, value }
    : { ok: false, reason: 'it must be a decimal fraction such as 0.0189, or 1.89%' }
}

const date = (text: string): Read =>
  DATE.test(text) ? { ok: true, value: text } : { ok: false, reason: 'it must be a date such as 2026-03-01' }

const word = (text: string): Read => ({ ok: true, value: text })

/**
 * What a run of `verify` over a file compares with each loan. The order is that of the columns that are read.
 *
 * - `kind` is the word in `differences`.
 * - `field` is the field of the loan, and `words` names it for people.
 * - `as` is the field of the result that contains the expected value.
 */
export const EXPECTATIONS = [
  { kind: 'amount', field: 'loanAmount', as: 'expectedAmount', words: 'amount', read: whole },
  { kind: 'state', field: 'state', as: 'expectedState', words: 'state', read: word },
  { kind: 'periods', field: 'periods', as: 'expectedPeriods', words: 'number of installments', read: whole },
  {
    kind: 'installmentAmount',
    field: 'installmentAmount',
    as: 'expectedInstallmentAmount',
    words: 'installment amount',
    read: whole,
  },
  {
    kind: 'lastInstallmentAmount',
    field: 'lastInstallmentAmount',
    as: 'expectedLastInstallmentAmount',
    words: 'last installment amount',
    read: whole,
  },
  { kind: 'interestRate', field: 'interestRate', as: 'expectedInterestRate', words: 'interest rate', read: rate },
  { kind: 'transferDate', field: 'transferDate', as: 'expectedTransferDate', words: 'transfer date', read: date },
] as const

export type Expectation = (typeof EXPECTATIONS)[number]

/** Returns what is not as expected of a row, in words that follow a number of rows. `kind` is a word in `differences`. */
export function unexpected(kind: string): string {
  const known = EXPECTATIONS.find((each) => each.kind === kind)
  if (known === undefined) return `with another ${kind}`
  return kind === 'state' ? 'in an unexpected state' : `with an unexpected ${known.words}`
}
