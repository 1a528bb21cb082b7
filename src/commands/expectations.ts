import type { OptionValues } from '@commander-js/extra-typings'
import { parseAmount } from '../domain/amount.ts'
import { isRealDate, isSameDay } from '../domain/dates.ts'
import { usage } from '../errors.ts'
import { optionWords } from '../text/shell-word.ts'
import { type Command, flag } from './command.ts'
import { readAmount, readCount } from './option-values.ts'

type Read = { ok: true; value: number | string } | { ok: false; reason: string }

const whole = (text: string): Read => {
  const read = parseAmount(text)
  return read.ok ? { ok: true, value: read.amount } : read
}

/** Reads a rate: a decimal fraction as the service sends it and as programs write it, or a number of percent. */
const rate = (text: string): Read => {
  const [, number, percent] = /^((?=[.,]?\d)\d{0,3}(?:[.,]\d{0,20})?(?:e-\d{1,2})?)\s*(%?)$/i.exec(text) ?? []
  const given = Number(number?.replace(',', '.'))
  // Rounded to the digits that can be typed, because 1.1 / 100 is 0.011000000000000001.
  const value = percent === '%' ? Number((given / 100).toFixed(14)) : given
  return value <= 1
    ? { ok: true, value }
    : { ok: false, reason: 'it must be a decimal fraction such as 0.0189, or at most 100%, such as 1.89%' }
}

const date = (text: string): Read =>
  isRealDate(text) ? { ok: true, value: text } : { ok: false, reason: 'it must be a date such as 2026-03-01' }

const word = (text: string): Read => (text === '' ? { ok: false, reason: 'it is empty' } : { ok: true, value: text })

/** Returns the function that reads the value of an option as a cell of a file is read. It throws `usage`. */
const likeCell =
  (read: (text: string) => Read) =>
  (text: string, option: string): number | string => {
    const result = read(text.trim())
    if (result.ok) return result.value
    throw usage(`${option} “${text}” is not valid: ${result.reason}`)
  }

/** How a value is read: `read` for a cell of a file, `typed` for an option. */
const AMOUNT = { read: whole, typed: readAmount, placeholder: 'units' } as const
const COUNT = {
  read: whole,
  typed: (text: string, option: string) => readCount(option, text),
  placeholder: 'n',
} as const
const RATE = { read: rate, typed: likeCell(rate), placeholder: 'rate' } as const
const DAY = { read: date, typed: likeCell(date), placeholder: 'date' } as const
const WORD = { read: word, typed: likeCell(word), placeholder: 'state' } as const

/**
 * What `verify` compares with each loan. Each row is an option of the command and two columns of a file. The order is that of the columns
 * that are read.
 *
 * - `kind` is the word in `differences` of a run over a file.
 * - `field` is the field of the loan, and `words` names it for people.
 * - `as` is the field of a file's result that contains the expected value, and `option` the option that has it.
 */
export const EXPECTATIONS = [
  { kind: 'amount', field: 'loanAmount', as: 'expectedAmount', option: 'expectAmount', words: 'amount', ...AMOUNT },
  { kind: 'state', field: 'state', as: 'expectedState', option: 'expectState', words: 'state', ...WORD },
  {
    kind: 'periods',
    field: 'periods',
    as: 'expectedPeriods',
    option: 'expectPeriods',
    words: 'number of installments',
    ...COUNT,
  },
  {
    kind: 'installmentAmount',
    field: 'installmentAmount',
    as: 'expectedInstallmentAmount',
    option: 'expectInstallmentAmount',
    words: 'installment amount',
    ...AMOUNT,
  },
  {
    kind: 'lastInstallmentAmount',
    field: 'lastInstallmentAmount',
    as: 'expectedLastInstallmentAmount',
    option: 'expectLastInstallmentAmount',
    words: 'last installment amount',
    ...AMOUNT,
  },
  {
    kind: 'interestRate',
    field: 'interestRate',
    as: 'expectedInterestRate',
    option: 'expectInterestRate',
    words: 'interest rate',
    ...RATE,
  },
  {
    kind: 'transferDate',
    field: 'transferDate',
    as: 'expectedTransferDate',
    option: 'expectTransferDate',
    words: 'transfer date',
    ...DAY,
  },
] as const

type Expectation = (typeof EXPECTATIONS)[number]

/** The expected values, by the field of the result that contains them. Amounts are in currency units, and rates are decimal fractions. */
export type Expected = Partial<Record<Expectation['as'], number | string>>

/** The options of `verify` for the expected values, as they were typed. */
type ExpectOptions = Partial<Record<Expectation['option'], string>>

/** Adds an option for each expected value. */
export function addExpectations<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
): Command<Args, Options & ExpectOptions> {
  for (const { option, placeholder, words, kind } of EXPECTATIONS)
    command.option(
      `${flag(option)} <${placeholder}>`,
      kind === 'state'
        ? 'end with exit code 10 unless the loan has this state (with --wait, the command waits for this state)'
        : `end with exit code 10 unless the loan has this ${words}`,
    )
  return command as Command<Args, Options & ExpectOptions>
}

/** Reads the options for the expected values. Throws `usage`. */
export function readExpected(options: ExpectOptions): Expected {
  const expected: Expected = {}
  for (const { option, as, typed } of EXPECTATIONS) {
    const text = options[option]
    if (text !== undefined) expected[as] = typed(text, flag(option))
  }
  return expected
}

/** Returns the options for the expected values, quoted for a command that the user can paste. */
export const expectationWords = (expected: Expected): string[] =>
  EXPECTATIONS.flatMap(({ option, as }) =>
    expected[as] === undefined ? [] : [optionWords(flag(option), String(expected[as]))],
  )

/** Returns in what a loan is not as expected. */
export const unmetBy = (loan: Readonly<Record<Expectation['field'], unknown>>, expected: Expected): Expectation[] =>
  EXPECTATIONS.filter(({ as, field }) => expected[as] !== undefined && !isSame(expected[as], loan[field]))

/** Rates are calculated, so the last bits of equal ones can differ. Dates are compared by their day. */
const isSame = (wanted: number | string, got: unknown): boolean =>
  wanted === got ||
  (typeof wanted === 'number' && typeof got === 'number' && Math.abs(wanted - got) < 1e-9) ||
  (typeof wanted === 'string' && typeof got === 'string' && isSameDay(wanted, got))

/** Returns the two values of a difference in words. If only the case of the letters differs, the expected value is a typing mistake. */
export const insteadOf = (got: unknown, wanted: unknown): string =>
  `${got}, expected ${wanted}${isSameInLowerCase(got, wanted) ? ' (only upper and lower case differ)' : ''}`

export const isSameInLowerCase = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Returns what is not as expected of a row, in words that follow a number of rows. `kind` is a word in `differences`. */
export function unexpected(kind: string): string {
  const known = EXPECTATIONS.find((each) => each.kind === kind)
  if (known === undefined) return `with another ${kind}`
  return kind === 'state' ? 'in an unexpected state' : `with an unexpected ${known.words}`
}
