import { findOutBy } from '../failures/advice.ts'
import { FORM_TYPE } from '../form.ts'
import { call } from './call.ts'

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
  repeat: 'never',
  changes: true,
  reconcile: findOutBy('wait-for-expiry'),
  schemas: ({ boolean, integerText, looseObject, nullable, optional, strictObject, text, unicode }) => ({
    request: strictObject({ amount: integerText, externalTrxId: text, entityId: text, email: text }),
    data: looseObject({ accepted: boolean(), widgetToken: optional(nullable(unicode)) }),
  }),
})
