import * as z from 'zod/mini'
import * as calls from './calls/loan.ts'
import { endpoint } from './endpoint.ts'
import { isoDate } from './fields.ts'

/** The loan of a verified transaction (specification: "Loan"). Amounts are integers in currency units, the rate a decimal fraction. */
export const loan = z.looseObject({
  loanAmount: z.int(),
  interestRate: z.number(),
  periods: z.int(),
  installmentAmount: z.int(),
  lastInstallmentAmount: z.int(),
  state: z.string(),
  transferDate: isoDate,
  externalTrxId: z.string(),
  installments: z.array(z.looseObject({ state: z.string(), period: z.int(), expirationDate: isoDate })),
})

export type Loan = z.infer<typeof loan>

export const verifyLoan = endpoint(calls.verifyLoan, {
  request: z.strictObject({}),
  data: loan,
})
