import { findOutBy } from '../failures/advice.ts'
import { call } from './call.ts'

export const registerWebhookCall = call({
  tag: 'webhooks',
  section: 'POST /partner/webhook : register a BNPL webhook destination',
  summary: 'register a BNPL webhook destination',
  notShown: { request: 10, answer: 6 },
  method: 'POST',
  path: '/partner/webhook',
  bodySetting: 'bodies.registration',
  success: {
    status: 201,
    meaning:
      'a destination that gets loan_approved, in deliveries signed by HMAC; its event and its verification scheme cannot be changed later',
  },
  bodyShown: false,
  formats: { request: { url: 'https' } },
  repeat: 'reconcile',
  changes: true,
  reconcile: findOutBy('look-for-destination'),
  // Only url has an effect. eventTypes and filters are accepted, but ignored without an error.
  schemas: ({ anything, optional, strictObject, text, unknown }) => ({
    request: strictObject({ url: text, eventTypes: optional(unknown()), filters: optional(unknown()) }),
    data: anything,
  }),
})
