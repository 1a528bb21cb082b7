import * as z from 'zod/mini'
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

export const verifyLoan = endpoint({
  section: 'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction',
  summary: 'verify a transaction',
  method: 'POST',
  path: '/partner/pre-approve/{externalTrxId}/loan',
  params: ['externalTrxId'],
  auth: 'key',
  accept: 'application/json',
  request: z.strictObject({}),
  data: loan,
  success: { status: 200, meaning: 'the loan of the transaction' },
  bodyShown: true,
  statuses: {
    404: {
      outcome: 'not-found',
      meaning: 'no loan for this transaction',
      hint: 'The customer may not have paid yet: `bnpl verify TRX --wait` waits for it.',
    },
  },
  // A read in the form of a POST: repeating it changes nothing.
  repeat: 'safe',
  changes: false,
})
