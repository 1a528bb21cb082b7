import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths, costOfCredit, installmentPlan, loanDoubts, loanTotal, paymentOf } from './installments.ts'

const amounts = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 1_000_000 }))
const periods = fc.integer({ min: 1, max: 600 })
const rates = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.2, noNaN: true }))

/** Returns the sum of all payments, as a BigInt, so that the check itself cannot round. */
const sumOf = (plan: { periods: number; installmentAmount: number; lastInstallmentAmount: number }) =>
  BigInt(plan.installmentAmount) * BigInt(plan.periods - 1) + BigInt(plan.lastInstallmentAmount)

test('the installments are integers that sum to the total, for any amount, period and rate', () => {
  fc.assert(
    fc.property(amounts, periods, rates, (amount, count, rate) => {
      let plan: ReturnType<typeof installmentPlan>
      try {
        plan = installmentPlan(amount, count, rate)
      } catch (error) {
        // This only happens when the total is too large for an exact number, which needs interest.
        expect(error).toBeInstanceOf(RangeError)
        expect(rate).toBeGreaterThan(0)
        return
      }
      expect(sumOf(plan)).toBe(BigInt(plan.total))
      for (const value of Object.values(plan)) expect(Number.isSafeInteger(value)).toBe(true)
      expect(plan.total).toBeGreaterThanOrEqual(amount)
      expect(plan.installmentAmount).toBeGreaterThanOrEqual(0)
      expect(plan.lastInstallmentAmount - plan.installmentAmount).toBeGreaterThanOrEqual(0)
      expect(plan.lastInstallmentAmount - plan.installmentAmount).toBeLessThan(count)
    }),
    { numRuns: 1_000 },
  )
})

test('without interest the total is the amount, up to the largest one', () => {
  fc.assert(
    fc.property(amounts, periods, (amount, count) => {
      expect(installmentPlan(amount, count, 0).total).toBe(amount)
    }),
  )
  expect(sumOf(installmentPlan(Number.MAX_SAFE_INTEGER, 7, 0))).toBe(BigInt(Number.MAX_SAFE_INTEGER))
})

test('more periods or a higher rate never cost less', () => {
  const amount = fc.integer({ min: 1_000, max: 50_000_000 })
  const rate = fc.double({ min: 0, max: 0.1, noNaN: true })
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 119 }), rate, rate, (principal, count, one, other) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      expect(installmentPlan(principal, count, high).total).toBeGreaterThanOrEqual(
        installmentPlan(principal, count, low).total,
      )
      expect(installmentPlan(principal, count + 1, low).total).toBeGreaterThanOrEqual(
        installmentPlan(principal, count, low).total,
      )
    }),
  )
})

test('the plan for 100,000 at 1 % a month over 12 months matches the annuity formula', () => {
  // 100,000 at 1 % a month over 12 months: 8,884.88 a month, 106,618.55 in all.
  expect(installmentPlan(100_000, 12, 0.01)).toEqual({
    periods: 12,
    installmentAmount: 8_884,
    lastInstallmentAmount: 8_895,
    total: 106_619,
  })
  expect(costOfCredit({ installments: 12, amount: 8_884, total: 106_619 }, 100_000)).toEqual({
    cost: 6_619,
    share: 0.06619,
  })
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-03-31', 24, '2028-03-31'],
])('%s plus %i months is %s', (date, months, expected) => {
  expect(addMonths(date, months)).toBe(expected)
})

test('an option for an amount of zero has no cost share', () => {
  expect(costOfCredit({ installments: 1, amount: 0, total: 0 }, 0)).toEqual({ cost: 0, share: 0 })
  expect(costOfCredit({ installments: 1, amount: 5, total: 5 }, 0)).toEqual({ cost: 5, share: 0 })
})

test('a total above 2^53 − 1 is refused, and the error names the principal and the periods', () => {
  expect(() => installmentPlan(Number.MAX_SAFE_INTEGER, 12, 0.01)).toThrow(
    new RangeError(`the total of ${Number.MAX_SAFE_INTEGER} in 12 payments is larger than 2^53 − 1`),
  )
})

const loan = {
  loanAmount: 1000,
  interestRate: 0,
  periods: 3,
  installmentAmount: 333,
  lastInstallmentAmount: 334,
  installments: [1, 2, 3].map((period) => ({ period, expirationDate: `2026-0${period}-01` })),
}

test('all payments except the last are equal, and the payments sum to the total', () => {
  expect([1, 2, 3].map((period) => paymentOf(loan, period))).toEqual([333, 333, 334])
  expect(loanTotal(loan)).toBe(1000)
  expect(loanTotal({ ...loan, periods: 1 })).toBe(334)
})

test('consistent figures cause no warning, even with zero interest or zero periods', () => {
  expect(loanDoubts(loan)).toEqual([])
  const none = { ...loan, periods: 0, installments: [], installmentAmount: 0, lastInstallmentAmount: 0 }
  expect(loanDoubts(none)).toEqual([])
})

test.each([
  [{ periods: 4 }, 'the loan has 4 periods, but its schedule has 3'],
  [
    { installments: loan.installments.map((each) => ({ ...each, period: each.period + 1 })) },
    'the periods of the schedule are not numbered 1, 2, 3 …',
  ],
  [
    { installments: [1, 2, 2].map((period, i) => ({ period, expirationDate: `2026-0${i + 1}-01` })) },
    'the periods of the schedule are not numbered 1, 2, 3 …',
  ],
  [
    { installments: loan.installments.map((each) => ({ ...each, expirationDate: '2026-01-01' })) },
    'the due dates are not in order',
  ],
  [{ lastInstallmentAmount: 333 }, 'the payments together are less than the loan'],
  [{ interestRate: -0.01 }, 'the interest rate is negative'],
])('case %#: figures of a loan that do not agree are reported', (change, doubt) => {
  expect(loanDoubts({ ...loan, ...change })).toEqual([doubt])
})

test('due dates are in order by their day, even if some are written as a day and others as a moment', () => {
  const due = (...dates: string[]) => ({
    ...loan,
    installments: dates.map((expirationDate, i) => ({ period: i + 1, expirationDate })),
  })
  expect(loanDoubts(due('2026-01-01T00:00:00Z', '2026-02-01', '2026-03-01T00:00:00Z'))).toEqual([])
  expect(loanDoubts(due('2026-01-31T22:00:00-03:00', '2026-02-01', '2026-03-01'))).toEqual([
    'the due dates are not in order',
  ])
})
