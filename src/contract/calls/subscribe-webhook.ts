import { findOutBy, guidance } from '../failures/advice.ts'
import { call } from './call.ts'

export const subscribeWebhookCall = call({
  tag: 'webhooks',
  section: 'POST /partner/webhook/subscription : register a real-estate webhook destination',
  summary: 'register a real-estate webhook destination',
  notShown: { status: 46, request: 10, requestFields: { eventTypes: 27, filters: 9, projectId: 9 }, answer: 6 },
  method: 'POST',
  path: '/partner/webhook/subscription',
  bodySetting: 'bodies.subscription',
  success: {
    status: 201,
    meaning:
      'a destination that gets the requested events, in deliveries with a static token; its events and its verification scheme cannot be changed later',
  },
  bodyShown: false,
  statuses: {
    403: {
      outcome: 'refused',
      meaning: 'the account does not have the evaluation module, which these events need',
      hint: 'Ask the support of the service to enable the evaluation module for your account.',
      codeNames: 'MODULE',
    },
    422: {
      outcome: 'refused',
      meaning: 'this account cannot receive real-estate webhooks',
      ...guidance({ id: 'register-as-bnpl' }),
      onlyWithCode: true,
      codes: {
        ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS:
          'a BNPL account cannot register a real-estate destination for any event, not even for loan_approved',
      },
    },
  },
  formats: { request: { url: 'https', eventTypes: 'events' } },
  repeat: 'reconcile',
  changes: true,
  reconcile: findOutBy('look-for-destination'),
  schemas: ({ anything, array, catchall, looseObject, object, optional, string, text, unknown }) => ({
    // The specification does not show the name of the project field (gap 9), so other text fields are allowed.
    request: catchall(
      object({
        url: text,
        eventTypes: array(string()),
        filters: optional(looseObject({ outcome: optional(unknown()) })),
      }),
      string(),
    ),
    data: anything,
  }),
})
