import { findOutBy } from '../failures/advice.ts'
import { call } from './call.ts'

export const evaluateCall = call({
  tag: 'payment',
  section: 'POST /partner/pre-loan-request/bnpl : evaluate customer',
  summary: 'evaluate a customer',
  notShown: { status: 46, answer: 1 },
  method: 'POST',
  path: '/partner/pre-loan-request/bnpl',
  success: { status: 200, meaning: 'the installment options, and the pre-approval id, which later calls need' },
  formats: { request: { idNumber: 'national-id' } },
  repeat: 'never',
  changes: true,
  reconcile: findOutBy('look-for-evaluation'),
  schemas: ({ array, int, integerText, looseObject, strictObject, text }) => ({
    request: strictObject({ idNumber: text, amount: integerText, entityId: text, externalTrxId: text }),
    // Amounts are integers in currency units (specification: "Installment option").
    data: looseObject({ installmentOptions: array(looseObject({ installments: int(), amount: int(), total: int() })) }),
  }),
})
