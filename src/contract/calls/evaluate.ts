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
  reconcile: {
    how: 'read the latest evaluation of the customer (evaluationByRut). The specification shows no transaction id in an evaluation, so compare the time and the amount of the evaluation with the time and the amount of this call. If the account cannot read evaluations, ask the support of the service about the transaction',
    advice: { id: 'look-for-evaluation' },
  },
  schemas: ({ array, int, integerText, looseObject, strictObject, text }) => ({
    request: strictObject({ idNumber: text, amount: integerText, entityId: text, externalTrxId: text }),
    // Amounts are integers in currency units (specification: "Installment option").
    data: looseObject({ installmentOptions: array(looseObject({ installments: int(), amount: int(), total: int() })) }),
  }),
})
