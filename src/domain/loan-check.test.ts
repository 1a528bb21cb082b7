import { expect, test } from 'vitest'
import { loanDoubts, loanTotal, paymentOf } from './loan-check.ts'

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
