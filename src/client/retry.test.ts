import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FaultKind } from '../contract/wire.ts'
import { parseRetryAfter } from '../domain/retry-after.ts'
import { nextAttempt } from './retry.ts'

const half = () => 0.5
const fault = (kind: FaultKind, sent: boolean) => ({ outcome: 'fault' as const, kind, sent })
const answer = (status: number, retryAfterMs?: number) => ({ outcome: 'answer' as const, status, retryAfterMs })

test('the matrix: what left this machine is repeated only where that is safe', () => {
  expect(nextAttempt('never', fault('reset', true), 1, half)).toBeUndefined()
  expect(nextAttempt('reconcile', fault('reset', true), 1, half)).toBeUndefined()
  expect(nextAttempt('safe', fault('reset', true), 1, half)).toEqual({ waitMs: 250 })
  expect(nextAttempt('never', fault('refused', false), 1, half)).toEqual({ waitMs: 250 })
  expect(nextAttempt('safe', fault('tls', false), 1, half)).toBeUndefined()
  for (const status of [500, 502, 503, 504]) {
    expect(nextAttempt('never', answer(status), 1, half)).toBeUndefined()
    expect(nextAttempt('safe', answer(status), 2, half)).toEqual({ waitMs: 500 })
  }
  for (const status of [400, 401, 403, 404, 409, 422, 501])
    expect(nextAttempt('safe', answer(status), 1, half)).toBeUndefined()
  expect(nextAttempt('never', answer(429, 2000), 1, half)).toEqual({ waitMs: 2000 })
  expect(nextAttempt('never', answer(429, 61_000), 1, half)).toBeUndefined()
})

test('property: never more than three attempts, never a wait above what was asked or the cap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(429, 503),
      (made, random, status) => {
        const next = nextAttempt('safe', answer(status), made, () => random)
        if (made >= 3) expect(next).toBeUndefined()
        else expect(next?.waitMs).toBeLessThanOrEqual(8000)
      },
    ),
  )
})

test('Retry-After: seconds, a date of RFC 9110, or nothing', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  expect(parseRetryAfter('120', now)).toBe(120_000)
  expect(parseRetryAfter('Sun, 01 Mar 2026 12:00:30 GMT', now)).toBe(30_000)
  expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0)
  for (const nonsense of [undefined, '', '-1', 'abc', '1.5', 'Sun'])
    expect(parseRetryAfter(nonsense, now)).toBeUndefined()
})
