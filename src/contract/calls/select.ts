import { findOutBy } from '../failures/advice.ts'
import { call } from './call.ts'

export const selectCall = call({
  tag: 'payment',
  section: 'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)',
  summary: 'report the option the customer selected',
  notShown: { status: 46 },
  method: 'POST',
  path: '/partner/pre-loan-request/loan-request',
  success: { status: 200, meaning: 'the loan request, and the step at which the widget will be loaded' },
  formats: { answer: { preApproveId: 'uuid' } },
  repeat: 'never',
  changes: true,
  reconcile: findOutBy('verify-after-payment'),
  schemas: ({ integerText, looseObject, strictObject, string, text }) => ({
    request: strictObject({
      preApproveId: text,
      installmentOption: integerText,
      externalTrxId: text,
      amount: integerText,
    }),
    data: looseObject({ loanRequestId: string(), step: string(), preApproveId: string() }),
  }),
})
