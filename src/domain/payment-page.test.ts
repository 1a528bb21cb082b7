import { expect, test } from 'vitest'
import { widgetTokenExpiry } from './payment-page.ts'

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
