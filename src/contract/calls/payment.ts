import { findOutBy, guidance } from '../failures/advice.ts'
import { FORM_TYPE } from '../form.ts'
import { call, type StatusMeaning } from './call.ts'

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

export const selectCall = call({
  tag: 'payment',
  section: 'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)',
  summary: 'report the selected option',
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

export const startWidgetCall = call({
  tag: 'payment',
  section: 'POST /partner/widget/start : create widget token',
  summary: 'create a widget token',
  notShown: { status: 46, answerFields: { widgetToken: 31 } },
  method: 'POST',
  path: '/partner/widget/start',
  // The specification's example sends this Accept header.
  accept: FORM_TYPE,
  success: { status: 200, meaning: 'whether the session was accepted, and its token' },
  formats: { request: { email: 'email' } },
  published: { request: { preApproveId: 'widgetPreApproveId' }, answer: { validUntil: 'validUntil' } },
  // The service banca.me publishes this answer without `accepted`.
  implied: { accepted: { by: 'widgetToken', value: true } },
  repeat: 'never',
  changes: true,
  reconcile: findOutBy('wait-for-expiry'),
  schemas: ({ boolean, integerText, looseObject, nullable, optional, strictObject, text, unicode, unknown }) => ({
    request: strictObject({
      amount: integerText,
      externalTrxId: text,
      entityId: text,
      email: text,
      preApproveId: optional(text),
    }),
    data: looseObject({
      accepted: boolean(),
      widgetToken: optional(nullable(unicode)),
      validUntil: optional(unknown()),
    }),
  }),
})

const NO_LOAN = {
  outcome: 'not-found',
  meaning: 'no loan for this transaction',
  ...guidance({ id: 'wait-for-payment' }),
} as const satisfies StatusMeaning

/** The service banca.me publishes this call, and the specification does not have it. */
export const cancelLoanCall = call({
  tag: 'payment',
  section: 'docs.banca.me: api/bnpl/post-cancel-loan',
  summary: 'cancel a loan',
  describedBy: 'cancel',
  notShown: { path: 50, status: 50, request: 50, answer: 50, statuses: { 404: 50 } },
  method: 'POST',
  path: '/partner/pre-approve/{externalTrxId}/loan/cancel',
  params: [{ name: 'externalTrxId', meaning: 'The transaction id of the merchant' }],
  success: { status: 200, meaning: 'the loan is cancelled; refundAmount is what the customer gets back' },
  // Any 2xx means that the loan is cancelled. Apart from refundAmount, the fields of the answer are not published.
  bodyShown: false,
  statuses: { 404: { outcome: 'not-found', meaning: 'no loan for this transaction' } },
  repeat: 'never',
  changes: true,
  reconcile: findOutBy('verify-loan'),
  schemas: ({ anything, strictObject }) => ({ request: strictObject({}), data: anything }),
})

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
