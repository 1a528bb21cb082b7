import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { integerText, text, unicode } from './fields.ts'
import { FORM_TYPE } from './form.ts'

/** Element of `data.installmentOptions` (specification: "Installment option"). Amounts are integers in currency units. */
export const installmentOption = z.looseObject({ installments: z.int(), amount: z.int(), total: z.int() })

export const evaluate = endpoint({
  section: 'POST /partner/pre-loan-request/bnpl : evaluate customer',
  summary: 'evaluate a customer',
  method: 'POST',
  path: '/partner/pre-loan-request/bnpl',
  params: [],
  auth: 'key',
  accept: 'application/json',
  request: z.strictObject({ idNumber: text, amount: integerText, entityId: text, externalTrxId: text }),
  data: z.looseObject({ installmentOptions: z.array(installmentOption) }),
  success: { status: 200, meaning: 'the installment options, and the pre-approval id to be kept' },
  bodyShown: true,
  statuses: {},
  repeat: 'never',
  changes: true,
  reconcile:
    'bnpl evaluations get --rut … (partners with evaluation reads), or ask your partner service for the transaction',
})

export const select = endpoint({
  section: 'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)',
  summary: 'report the option the customer selected',
  method: 'POST',
  path: '/partner/pre-loan-request/loan-request',
  params: [],
  auth: 'key',
  accept: 'application/json',
  request: z.strictObject({
    preApproveId: text,
    installmentOption: integerText,
    externalTrxId: text,
    amount: integerText,
  }),
  data: z.looseObject({ loanRequestId: z.string(), step: z.string(), preApproveId: z.string() }),
  success: { status: 200, meaning: 'the loan request, and the step at which the widget will be loaded' },
  bodyShown: true,
  statuses: {},
  repeat: 'never',
  changes: true,
  reconcile: 'bnpl verify TRX after the payment; the service documents no read of a loan request',
})

export const startWidget = endpoint({
  section: 'POST /partner/widget/start : create widget token',
  summary: 'create a widget token',
  method: 'POST',
  path: '/partner/widget/start',
  params: [],
  auth: 'key',
  // The specification's own request sends this; whether the service looks at it is not stated.
  accept: FORM_TYPE,
  request: z.strictObject({ amount: integerText, externalTrxId: text, entityId: text, email: text }),
  data: z.looseObject({ accepted: z.boolean(), widgetToken: z.optional(z.nullable(unicode)) }),
  success: { status: 200, meaning: 'whether the session was accepted, and its token' },
  bodyShown: true,
  statuses: {},
  repeat: 'never',
  changes: true,
  reconcile: 'wait 10 minutes: the token that may have been created is dead by then, and a new one can be made safely',
})

export { REDIRECT_DELAY_MS, WIDGET_TOKEN_LIFE_MS } from './widget.ts'
