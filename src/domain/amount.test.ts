import { expect, test } from 'vitest'
import { groupDigits, parseAmount, parseTypedAmount } from './amount.ts'

test('an amount is a whole number above zero that a double holds exactly', () => {
  expect(parseAmount(' 250000\n')).toEqual({ ok: true, amount: 250_000 })
  expect(parseAmount('9007199254740991')).toEqual({ ok: true, amount: Number.MAX_SAFE_INTEGER })
  expect(parseAmount('9007199254740992')).toEqual({
    ok: false,
    reason: 'it is larger than 2^53 − 1 and would be rounded',
  })
  for (const zero of ['0', '000'])
    expect(parseAmount(zero)).toEqual({ ok: false, reason: 'it must be greater than zero' })
})

test.each([
  ['1.000', '1000', '1.000'],
  ['250.000', '250000', '250.000'],
  ['1,234,567', '1234567', '1.000'],
  ['12.345.678', '12345678', '1.000'],
])(
  'the amount %s is refused because of its separators, and the reason shows the digits without separators',
  (text, digits, decimal) => {
    expect(parseAmount(text)).toEqual({
      ok: false,
      reason: `it must be written without separators, as ${digits}, because in a file ${decimal} may also be a decimal number`,
    })
  },
)

test.each([
  '',
  ' ',
  '1e3',
  '-1',
  '0x10',
  '1.5',
  '1.50',
  '1.0000',
  '1234.567',
  '1.000x',
  'x1.000',
  '.000',
  '1.000.',
  '1.00.000',
])('“%s” is refused, because an amount consists of digits only', (text) => {
  expect(parseAmount(text)).toEqual({ ok: false, reason: 'it must be a whole number, digits only' })
})

test.each(['250.000', '250,000', '250 000', '250\u202f000', "250'000", ' 250.000\n', '250000'])(
  'a typed %j is 250000',
  (text) => {
    expect(parseTypedAmount(text)).toEqual({ ok: true, amount: 250_000 })
  },
)

test.each(['$250.000', '$250000', '$ 250.000', '$\u00a0250.000', '$250,000', ' $250.000 '])(
  'typed or in a file, %j is 250000, because the peso sign says that it is an amount',
  (text) => {
    expect([parseAmount(text), parseTypedAmount(text)]).toEqual(Array(2).fill({ ok: true, amount: 250_000 }))
  },
)

test.each(['$', '$$250000', '$-1', '-$1', '$250.00', '$0.250', '$1.5', '$250.000 CLP', 'US$250000', '$ $1', '$  1'])(
  'typed or in a file, %j is refused',
  (text) => {
    expect([parseAmount(text).ok, parseTypedAmount(text).ok]).toEqual([false, false])
  },
)

test.each(['0.250', '1.000,000', '1.5', '250.00', '250.0000', '1.000.', '.000', '250000.000', '1  000'])(
  'a typed %j is refused, because the text is ambiguous or not an amount',
  (text) => {
    expect(parseTypedAmount(text)).toMatchObject({ ok: false })
  },
)

test('digits are grouped by three from the right', () => {
  expect([0, 999, 1000, 123456, 1234567, -1234567].map((value) => groupDigits(value))).toEqual([
    '0',
    '999',
    '1.000',
    '123.456',
    '1.234.567',
    '-1.234.567',
  ])
  expect(groupDigits('1234567', ',')).toBe('1,234,567')
})
