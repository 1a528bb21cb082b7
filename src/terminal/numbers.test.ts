import { expect, test } from 'vitest'
import { parseTypedAmount } from '../domain/amount.ts'
import { createNumbers } from './numbers.ts'

test.each<[Record<string, string>, string, string]>([
  [{}, '1.234.567', '1,89 %'],
  [{ LANG: 'C.UTF-8' }, '1.234.567', '1,89 %'],
  [{ LANG: 'POSIX' }, '1.234.567', '1,89 %'],
  [{ LANG: 'es_CL.UTF-8' }, '1.234.567', '1,89 %'],
  [{ LANG: 'en_US.UTF-8' }, '1,234,567', '1.89 %'],
  [{ LANG: 'en' }, '1,234,567', '1.89 %'],
  [{ LANG: 'en_US.UTF-8', LC_NUMERIC: 'es_CL.UTF-8' }, '1.234.567', '1,89 %'],
  [{ LANG: 'es_CL.UTF-8', LC_NUMERIC: 'es_CL.UTF-8', LC_ALL: 'es_MX@x' }, '1,234,567', '1.89 %'],
  [{ LANG: 'ar_EG.UTF-8' }, '1,234,567', '1.89 %'],
  [{ LANG: 'fr_FR.UTF-8' }, '1\u202f234\u202f567', '1,89 %'],
  [{ LANG: 'xx_YY.UTF-8' }, '1.234.567', '1,89 %'],
  [{ LANG: '../../etc' }, '1.234.567', '1,89 %'],
])('numbers are formatted for the locale %j, and a formatted amount can be typed in again', (env, amount, rate) => {
  const numbers = createNumbers(env)
  expect([numbers.amount(1_234_567), numbers.rate(0.0189)]).toEqual([amount, rate])
  expect(parseTypedAmount(amount)).toEqual({ ok: true, amount: 1_234_567 })
})

test('shares, counts and amounts with a currency are formatted for the locale', () => {
  const numbers = createNumbers({ LANG: 'en_GB' })
  expect([numbers.share(0.1234), numbers.count(1234), numbers.amount(250_000, '$'), numbers.plain(0.5)]).toEqual([
    '12.3 %',
    '1,234',
    '$ 250,000',
    '0.5',
  ])
})
