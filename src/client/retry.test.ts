import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WireFailureKind } from '../contract/wire.ts'
import { parseRetryAfter } from '../domain/clock.ts'
import { callLimitOf, nextAttempt } from './retry.ts'

const half = () => 0.5
const failure = (kind: WireFailureKind, sent: boolean) => ({ outcome: 'failure' as const, kind, sent })
const answer = (status: number, retryAfterMs?: number) => ({ outcome: 'answer' as const, status, retryAfterMs })

test('the retry matrix: a call that left this machine is repeated only if that is safe', () => {
  expect(nextAttempt('never', failure('reset', true), 1, half)).toBeUndefined()
  expect(nextAttempt('reconcile', failure('reset', true), 1, half)).toBeUndefined()
  expect(nextAttempt('safe', failure('reset', true), 1, half)).toEqual({ waitMs: 250 })
  expect(nextAttempt('never', failure('refused', false), 1, half)).toEqual({ waitMs: 250 })
  expect(nextAttempt('safe', failure('tls', false), 1, half)).toBeUndefined()
  for (const status of [500, 502, 503, 504]) {
    expect(nextAttempt('never', answer(status), 1, half)).toBeUndefined()
    expect(nextAttempt('safe', answer(status), 2, half)).toEqual({ waitMs: 500 })
  }
  for (const status of [400, 401, 403, 404, 409, 422, 501])
    expect(nextAttempt('safe', answer(status), 1, half)).toBeUndefined()
  expect(nextAttempt('never', answer(429, 2000), 1, half)).toEqual({ waitMs: 2000 })
  expect(nextAttempt('never', answer(429, 61_000), 1, half)).toBeUndefined()
})

test('property: a call has at most three attempts, and each wait is at most 8 s', () => {
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

test('Retry-After is read as seconds or as a date of RFC 9110; any other value is ignored', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  expect(parseRetryAfter('120', now)).toBe(120_000)
  expect(parseRetryAfter('Sun, 01 Mar 2026 12:00:30 GMT', now)).toBe(30_000)
  expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0)
  for (const nonsense of [undefined, '', '-1', 'abc', '1.5', 'Sun'])
    expect(parseRetryAfter(nonsense, now)).toBeUndefined()
})

test('the longest random wait doubles with each attempt, up to the cap', () => {
  const policy = { attempts: 10, baseMs: 500, capMs: 8000, maxWaitMs: 60_000 }
  const waits = [1, 2, 3, 4, 5, 6].map((made) => nextAttempt('safe', answer(503), made, () => 1, policy)?.waitMs)
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  expect(nextAttempt('safe', answer(503), 1, () => 0, policy)).toEqual({ waitMs: 0 })
  expect(nextAttempt('safe', answer(503), 1, () => 0.3333, policy)).toEqual({ waitMs: 167 })
})

test('the policy sets the number of attempts, and a separate number for status 429', () => {
  const policy = { attempts: 2, limitedAttempts: 4, baseMs: 1, capMs: 1, maxWaitMs: 1000 }
  const attempts = (attempt: Parameters<typeof nextAttempt>[1], given: Parameters<typeof nextAttempt>[4]) =>
    [1, 2, 3, 4, 5].findIndex((made) => nextAttempt('safe', attempt, made, half, given) === undefined) + 1
  expect(attempts(answer(503), policy)).toBe(2)
  expect(attempts(failure('reset', true), policy)).toBe(2)
  expect(attempts(answer(429), policy)).toBe(4)
  expect(attempts(answer(429), { ...policy, limitedAttempts: undefined } as never)).toBe(2)
  expect(attempts(answer(429), undefined)).toBe(3)
})

test('the wait that the service asks for is used, from zero up to the maximum; a longer wait ends the call', () => {
  expect(nextAttempt('safe', answer(503, 60_000), 1, half)).toEqual({ waitMs: 60_000 })
  expect(nextAttempt('safe', answer(503, 60_001), 1, half)).toBeUndefined()
  expect(nextAttempt('safe', answer(503, 0), 1, half)).toEqual({ waitMs: 0 })
  expect(nextAttempt('never', answer(429), 1, half)).toEqual({ waitMs: 250 })
})

test('a permanent failure or a time-out ends the call; a call that was not sent is repeated after other failures', () => {
  for (const kind of ['tls', 'proxy', 'too-large', 'garbled', 'aborted', 'timeout'] as const)
    expect([kind, nextAttempt('safe', failure(kind, false), 1, half)]).toEqual([kind, undefined])
  for (const kind of ['refused', 'dns', 'reset'] as const)
    expect([kind, nextAttempt('never', failure(kind, false), 1, half)]).toEqual([kind, { waitMs: 250 }])
})

test('Retry-After may have spaces around it and any weekday, but no other words', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  expect(parseRetryAfter(' 7 ', now)).toBe(7000)
  expect(parseRetryAfter('0', now)).toBe(0)
  for (const [i, day] of ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].entries())
    expect(parseRetryAfter(`${day}, 0${i + 1} Mar 2026 12:00:00 GMT`, now)).toBe(i * 86_400_000)
  for (const nonsense of [
    '1 2',
    'x1',
    '1x',
    'March 2, 2026',
    ' 2026-03-02',
    'Monday',
    'on Mon, 02 Mar 2026 12:00:00 GMT',
  ])
    expect([nonsense, parseRetryAfter(nonsense, now)]).toEqual([nonsense, undefined])
})

const NOW = Date.parse('2026-03-01T12:00:00Z')

test.each([
  [
    { 'ratelimit-remaining': '3', 'ratelimit-reset': '20' },
    { left: 3, resetMs: 20_000 },
  ],
  [
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' },
    { left: 0, resetMs: 7000 },
  ],
  [
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '7.5' },
    { left: 0, resetMs: 7500 },
  ],
  [{ ratelimit: 'limit=100, remaining=3, reset=20' }, { left: 3, resetMs: 20_000 }],
  [{ ratelimit: '"default";r=3;t=20' }, { left: 3, resetMs: 20_000 }],
  [
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(NOW / 1000 + 9) },
    { left: 1, resetMs: 9000 },
  ],
  [
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(NOW + 9000) },
    { left: 1, resetMs: 9000 },
  ],
  [
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': 'Sun, 01 Mar 2026 12:00:09 GMT' },
    { left: 1, resetMs: 9000 },
  ],
  [
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(NOW / 1000 - 9) },
    { left: 1, resetMs: 0 },
  ],
  [{ 'x-ratelimit-remaining': '1' }, undefined],
  [{ 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '9' }, undefined],
  [{ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': 'soon' }, undefined],
  [{ ratelimit: 'none' }, undefined],
  [{}, undefined],
] as [Record<string, string>, unknown][])('the limit that an answer tells is read from %j', (headers, limit) => {
  expect(callLimitOf(headers, NOW)).toEqual(limit)
})
