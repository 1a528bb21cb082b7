import { expect, test } from 'vitest'
import { plainForm } from './plain-form.ts'

test.each([
  ['１２３４５６７８９０-Ｋ', '1234567890-K'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['𝟎𝟏𝟐𝟗𝟘𝟡𝟢𝟿', '01290909'],
  ['①²', '12'],
  ['12–5', '12–5'],
  ['Ñandú ñ', 'Ñandú ñ'],
  ['', ''],
])('%s is converted to its plain form', (text, plain) => {
  expect(plainForm(text)).toBe(plain)
})

test('the digits of every script are converted to ASCII digits of the same value', () => {
  const digits = Array.from({ length: 0x1ffff }, (_, i) => String.fromCodePoint(i)).filter((c) => /\p{Nd}/u.test(c))
  expect(digits.length % 10).toBe(0)
  for (let i = 0; i < digits.length; i += 10) expect(plainForm(digits.slice(i, i + 10).join(''))).toBe('0123456789')
})
