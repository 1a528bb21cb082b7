import { FORM_TYPE } from '../form.ts'
import { call } from './call.ts'

export const evaluate = call({
  section: 'POST /partner/pre-loan-request/bnpl : evaluate customer',
  summary: 'evaluate a customer',
  method: 'POST',
  path: '/partner/pre-loan-request/bnpl',
  params: [],
  auth: 'key',
  accept: 'application/json',
  success: { status: 200, meaning: 'the installment options, and the pre-approval id to be kept' },
  bodyShown: true,
  statuses: {},
  repeat: 'never',
  changes: true,
  reconcile:
    'bnpl evaluations get --rut … (partners with evaluation reads), or ask your partner service for the transaction',
})

export const select = call({
  section: 'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)',
  summary: 'report the option the customer selected',
  method: 'POST',
  path: '/partner/pre-loan-request/loan-request',
  params: [],
  auth: 'key',
  accept: 'application/json',
  success: { status: 200, meaning: 'the loan request, and the step at which the widget will be loaded' },
  bodyShown: true,
  statuses: {},
  repeat: 'never',
  changes: true,
  reconcile: 'bnpl verify TRX after the payment; the service documents no read of a loan request',
})

export const startWidget = call({
  section: 'POST /partner/widget/start : create widget token',
  summary: 'create a widget token',
  method: 'POST',
  path: '/partner/widget/start',
  params: [],
  auth: 'key',
  // The specification's own request sends this; whether the service looks at it is not stated.
  accept: FORM_TYPE,
  success: { status: 200, meaning: 'whether the session was accepted, and its token' },
  bodyShown: true,
  statuses: {},
  repeat: 'never',
  changes: true,
  reconcile: 'wait 10 minutes: the token that may have been created is dead by then, and a new one can be made safely',
})
