import { call } from './call.ts'

export const verifyLoan = call({
  section: 'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction',
  summary: 'verify a transaction',
  method: 'POST',
  path: '/partner/pre-approve/{externalTrxId}/loan',
  params: ['externalTrxId'],
  auth: 'key',
  accept: 'application/json',
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
