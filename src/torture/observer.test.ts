import { expect, test } from 'vitest'
import type { CallFact } from './facts.ts'
import { untilSecondCall } from './observer.ts'

const verification = (nth: number, externalTrxId?: string): CallFact => ({
  name: 'verifyLoan',
  nth,
  externalTrxId,
  status: 0,
  isTrue: true,
})

/** Longer than any test, so that only a call or a signal ends the wait. */
const NEVER_MS = 2 ** 30

test('the first verification of an order waits for the second one, and not for one of another order', async () => {
  const calls = [verification(1, 'A')]
  let isOver = false
  const waiting = untilSecondCall(calls, { name: 'verifyLoan', nth: 1 }, NEVER_MS, []).then(() => {
    isOver = true
  })
  calls.push(verification(2, 'B'), { ...verification(1, 'A'), name: 'cancelLoan' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isOver).toBe(false)
  calls.push(verification(3, 'A'))
  await waiting
})

test('the wait for a second verification ends with the test of the shop, and at its limit', async () => {
  const calls = [verification(1, 'A')]
  const over = new AbortController()
  const waiting = untilSecondCall(calls, { name: 'verifyLoan', nth: 1 }, NEVER_MS, [over.signal])
  over.abort()
  await waiting
  await untilSecondCall(calls, { name: 'verifyLoan', nth: 1 }, 1, [])
})

test.each([
  ['a second verification', [verification(1, 'A'), verification(2, 'A')], 2],
  ['a call without a transaction', [verification(1)], 1],
])('%s does not wait', async (_, calls, nth) => {
  await untilSecondCall(calls, { name: 'verifyLoan', nth }, NEVER_MS, [])
})
