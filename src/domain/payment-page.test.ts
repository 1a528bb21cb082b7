import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presentPreApproveId } from './identifiers.ts'
import { paymentPageUrl, readLanding, widgetTokenExpiry } from './payment-page.ts'

const jwt = (payload: string) => `x.${Buffer.from(payload).toString('base64url')}.y`

test('the expiry of a widget token is the exp number of the token’s payload', () => {
  expect(widgetTokenExpiry(jwt('{"exp":1000}'))).toBe(1_000_000)
  expect(widgetTokenExpiry(jwt('{"exp":0.5}'))).toBe(500)
})

test('the expiry of any other token is unknown', () => {
  for (const payload of [
    'null',
    '"exp"',
    '7',
    '{}',
    '[]',
    '{"exp":"1000"}',
    '{"exp":1e999}',
    '{"exp":null}',
    'no JSON',
  ])
    expect([payload, widgetTokenExpiry(jwt(payload))]).toEqual([payload, undefined])
  for (const token of ['', 'abc', 'a.b', 'a.!.c', jwt('{"exp":1000}').slice(0, -2)])
    expect([token, widgetTokenExpiry(token)]).toEqual([token, undefined])
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
