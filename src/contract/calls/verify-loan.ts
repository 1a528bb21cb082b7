import { guidance } from '../failures/advice.ts'
import { call, type StatusMeaning } from './call.ts'

const NO_LOAN = {
  outcome: 'not-found',
  meaning: 'no loan for this transaction',
  ...guidance({ id: 'wait-for-payment' }),
} as const satisfies StatusMeaning

export const verifyLoanCall = call({
  tag: 'payment',
  section: 'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction',
  summary: 'verify a transaction',
  notShown: { status: 46, request: 10, statuses: { 404: 21 } },
  method: 'POST',
  path: '/partner/pre-approve/{externalTrxId}/loan',
  params: [{ name: 'externalTrxId', meaning: 'The transaction id of the merchant' }],
  bodySetting: 'bodies.verification',
  success: { status: 200, meaning: 'the loan of the transaction' },
  // A success without a loan has the same meaning as the 404, because the specification does not show the status of “no loan” (gap 21).
  statuses: { 404: NO_LOAN },
  emptyData: NO_LOAN,
  formats: { answer: { interestRate: 'fraction', installments: 'one-each-period' } },
  // This POST only reads.
  repeat: 'safe',
  changes: false,
  // Amounts are integers in currency units, the rate is a decimal fraction (specification: "Loan").
  schemas: ({ array, int, isoDate, looseObject, number, strictObject, string }) => ({
    request: strictObject({}),
    data: looseObject({
      loanAmount: int(),
      interestRate: number(),
      periods: int(),
      installmentAmount: int(),
      lastInstallmentAmount: int(),
      state: string(),
      transferDate: isoDate,
      externalTrxId: string(),
      installments: array(looseObject({ state: string(), period: int(), expirationDate: isoDate })),
    }),
  }),
})
