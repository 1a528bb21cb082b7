import { findOutBy, guidance } from '../failures/advice.ts'
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

export const listWebhooksCall = call({
  tag: 'webhooks',
  section: 'GET /partner/webhook : list destinations',
  summary: 'list webhook destinations',
  notShown: { status: 46, answer: 44, answerFields: { id: 44 } },
  method: 'GET',
  path: '/partner/webhook',
  success: { status: 200, meaning: 'the webhook destinations of the account' },
  repeat: 'safe',
  changes: false,
  dataShapeShown: false,
  schemas: ({ array, id, looseObject, optional, string }) => ({
    data: array(looseObject({ id, url: string(), verificationScheme: optional(string()) })),
  }),
})

export const deleteWebhookCall = call({
  tag: 'webhooks',
  section: 'DELETE /partner/webhook/{id} : delete a destination',
  summary: 'delete a webhook destination',
  notShown: { status: 46, answer: 20, statuses: { 404: 46 } },
  method: 'DELETE',
  path: '/partner/webhook/{id}',
  params: [{ name: 'id', meaning: 'The id of the destination' }],
  success: { status: 200, meaning: 'the destination is deleted' },
  bodyShown: false,
  statuses: {
    404: {
      outcome: 'not-found',
      meaning: 'no destination with this id',
      ...guidance({ id: 'see-destinations' }),
    },
  },
  repeat: 'safe',
  changes: true,
  schemas: ({ anything }) => ({ data: anything }),
})
