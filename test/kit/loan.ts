import type { Loan } from '../../src/contract/endpoints.ts'

/** A loan as a service answers a verification. A new field of the loan is one more line here. */
export const LOAN = {
  loanAmount: 1000,
  interestRate: 0.02,
  periods: 1,
  installmentAmount: 1020,
  lastInstallmentAmount: 1020,
  state: 'ACTIVE',
  transferDate: '2026-03-01',
  externalTrxId: 'T1',
  installments: [{ state: 'ACTIVE', period: 1, expirationDate: '2026-04-01' }],
} satisfies Loan

/** The loan of a transaction, without its schedule. */
export const loan = (externalTrxId: string, more: object = {}) => ({
  ...LOAN,
  periods: 3,
  installmentAmount: 400,
  lastInstallmentAmount: 400,
  externalTrxId,
  installments: [],
  ...more,
})
