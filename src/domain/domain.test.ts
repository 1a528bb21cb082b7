import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskField, maskText } from '../text/masking.ts'
import { groupDigits, parseAmount } from './amount.ts'
import { formatDuration, parseDuration } from './clock.ts'
import { formatRut, newTransactionId, parseRut, presentPreApproveId, rutCheckCharacter } from './identifiers.ts'
import { loanDoubts, loanTotal } from './installments.ts'
import { isLoopback, parseReturnAddress, parseServiceAddress } from './origin.ts'
import { paymentPageUrl, readLanding } from './payment-page.ts'

test('a RUT is read with and without dots, in either case, and its check digit is checked', () => {
  expect(parseRut('12.345.678-5')).toEqual({ ok: true, rut: '12345678-5' })
  expect(parseRut('10000013k')).toEqual({ ok: true, rut: '10000013-K' })
  expect(parseRut('12345678-6')).toEqual({ ok: false, problem: 'check', expected: '5' })
  expect(formatRut('12345678-5')).toBe('12.345.678-5')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
      const rut = `${number}-${rutCheckCharacter(String(number))}`
      expect(parseRut(formatRut(rut))).toEqual({ ok: true, rut })
    }),
  )
})

test('an amount is read from plain digits only', () => {
  expect(parseAmount('250000')).toEqual({ ok: true, amount: 250_000 })
  expect(parseAmount('250.000')).toMatchObject({ ok: false, reason: expect.stringContaining('250000') })
  expect(groupDigits(1234567)).toBe('1.234.567')
})

test('durations are read and written', () => {
  expect(['500ms', '30s', '1m30s', '2h', '7d', '1.5s', '30'].map(parseDuration)).toEqual([
    500, 30_000, 90_000, 7_200_000, 604_800_000, 1500, 30_000,
  ])
  for (const text of ['', 'abc', '-1s', '1 m', '5x', '1e3']) expect(parseDuration(text)).toBeUndefined()
  expect([0, 999, 90_000, 90_061_000].map(formatDuration)).toEqual(['0ms', '999ms', '1m30s', '1d1h'])
})

test.each([
  ['2026-07-01T03:59:59Z', '20260630'],
  ['2026-07-01T04:00:00Z', '20260701'],
  ['2026-01-01T02:59:59Z', '20251231'],
  ['2026-01-01T03:00:00Z', '20260101'],
  // Summer time ends on 5 April at midnight, when the clocks go back to 23:00 of 4 April, and begins on 6 September at midnight.
  ['2026-04-05T03:30:00Z', '20260404'],
  ['2026-04-05T04:00:00Z', '20260405'],
  ['2026-09-06T03:59:59Z', '20260905'],
  ['2026-09-06T04:00:00Z', '20260906'],
  ['2028-02-29T02:00:00Z', '20280228'],
])('at %s, a transaction id consists of trx, the day in Chile (%s) and ten characters', (time, day) => {
  expect(newTransactionId(Date.parse(time), () => 0.5)).toMatch(new RegExp(`^trx-${day}-[0-9a-z]{10}$`))
})

test('a pre-approval id that is missing, empty or the word “undefined” counts as no id (gap 22) [row 105]', () => {
  expect([undefined, null, '', 'undefined', 'P1'].map(presentPreApproveId)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'P1',
  ])
  expect(readLanding(new URL('https://shop.example/no?preApproveId=undefined&externalTrxId=T1'))).toEqual({
    preApproveId: undefined,
    externalTrxId: 'T1',
  })
})

test('the two parameters of a landing address are read independently', () => {
  expect(readLanding(new URL('https://shop.example/ok?preApproveId=P1&externalTrxId=undefined'))).toEqual({
    preApproveId: 'P1',
    externalTrxId: undefined,
  })
})

test('a base address is https, or http to this machine; look-alike hosts are refused', () => {
  for (const ok of ['https://api.example.com', 'http://127.0.0.1:80', 'http://localhost:1/x', 'http://[::1]:1']) {
    expect(parseServiceAddress(ok).ok).toBe(true)
  }
  for (const bad of [
    'http://127.0.0.1.evil',
    'http://localhost.evil',
    'https://api@evil',
    'ftp://x',
    'api.example.com',
    'http://10.0.0.1',
    'file:///etc/passwd',
  ]) {
    expect([bad, parseServiceAddress(bad).ok]).toEqual([bad, false])
  }
  expect(
    ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'LOCALHOST', '127.0.0.1.', '128.0.0.1', 'localhost.'].map(isLoopback),
  ).toEqual([true, true, true, true, true, false, false, false])
})

test('a return address is an absolute https address, or http to this machine [row 104, attack 15]', () => {
  for (const good of [
    'https://shop.example/ok?a=1#b',
    'http://localhost:3000/ok',
    'http://127.0.0.1/',
    'http://[::1]:9/',
  ]) {
    expect([good, parseReturnAddress(good).ok]).toEqual([good, true])
  }
  for (const bad of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https:/\\evil',
    'https:evil',
    '/ok',
    'https://a@evil',
    'https://x/\r\ny',
    'https://x/\ud800',
    'http://evil.example/',
    'HTTP://evil.example/',
    'http://192.168.1.9/',
    'http://127.0.0.1.evil.example/',
    'http://user@localhost/',
    '',
  ]) {
    expect([bad, parseReturnAddress(bad).ok]).toEqual([bad, false])
  }
})

test('property: every parameter of the payment page address is read back unchanged', () => {
  const value = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed())
  fc.assert(
    fc.property(value, value, value, value, (widgetToken, publicKey, successReturnUrl, errorReturnUrl) => {
      const given = { widgetToken, publicKey, successReturnUrl, errorReturnUrl }
      const url = new URL(paymentPageUrl('https://pay.example/checkout', given))
      expect(Object.fromEntries(url.searchParams)).toEqual(given)
      expect(url.pathname).toBe('/checkout/')
    }),
  )
})

test('figures of a loan that do not agree are reported', () => {
  const loan = {
    loanAmount: 1000,
    interestRate: 0.02,
    periods: 3,
    installmentAmount: 350,
    lastInstallmentAmount: 351,
    installments: [
      { period: 1, expirationDate: '2026-04-01' },
      { period: 2, expirationDate: '2026-05-01' },
      { period: 3, expirationDate: '2026-06-01' },
    ],
  }
  expect(loanTotal(loan)).toBe(1051)
  expect(loanDoubts(loan)).toEqual([])
  expect(loanDoubts({ ...loan, periods: 4 })).toHaveLength(1)
  expect(loanDoubts({ ...loan, installmentAmount: 10, lastInstallmentAmount: 10 })).toEqual([
    'the payments together are less than the loan',
  ])
  expect(loanDoubts({ ...loan, installments: [...loan.installments].reverse() })).toHaveLength(2)
})

test('secrets and personal data are masked anywhere in a text', () => {
  const masked = maskText(
    'GET https://u:p@x/partner/pre-approve/rut/12345678-5?a=1&widgetToken=abc&X-Amz-Signature=deadbeef Bearer sk-1 eyJhbGciOi.eyJzdWIi.c2ln',
  )
  for (const secret of ['12345678-5', 'abc', 'deadbeef', 'sk-1', 'u:p', 'eyJzdWIi'])
    expect(masked).not.toContain(secret)
  expect(masked).toContain('a=1')
  expect(maskField('idNumber', '12345678-5')).toBe('••••••78-5')
  expect(maskField('email', 'ana@example.com')).toBe('a•••@example.com')
  expect(maskField('authorization', 'Bearer sk-1234567890abcd')).toBe('••••abcd')
})

test('masking a hostile text takes linear time', () => {
  const text = 'eyJ'.repeat(1_000_000)
  expect(maskText(text)).toBe(text)
  expect(maskField(`${'secret'.repeat(200_000)}\nx`, 'a value of somebody')).toBe('••••body')
  expect(maskField(`${'email'.repeat(200_000)}\nx`, 'a@example.com')).toBe('a•••@example.com')
  expect(maskText('%3FwidgetToken%3DeyJhbGciOiJ.eyJzdWIi.s-g_1 www.eyJhbGciOiJ.b.c eyJhbGciOiJ.b')).toBe(
    '%3FwidgetToken%3D•••• www.•••• eyJhbGciOiJ.b',
  )
})
