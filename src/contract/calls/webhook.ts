import { call } from './call.ts'

export const registerWebhook = call({
  section: 'POST /partner/webhook : register a BNPL webhook destination',
  summary: 'register a BNPL webhook destination',
  method: 'POST',
  path: '/partner/webhook',
  params: [],
  auth: 'key',
  accept: 'application/json',
  success: {
    status: 201,
    meaning: 'a destination subscribed to loan_approved, verified by HMAC; both are fixed at creation',
  },
  bodyShown: false,
  statuses: {},
  repeat: 'reconcile',
  changes: true,
  reconcile: 'bnpl webhooks list',
})

export const subscribeWebhook = call({
  section: 'POST /partner/webhook/subscription : register a real-estate webhook destination',
  summary: 'register a real-estate webhook destination',
  method: 'POST',
  path: '/partner/webhook/subscription',
  params: [],
  auth: 'key',
  accept: 'application/json',
  success: {
    status: 201,
    meaning: 'a destination for the events asked for, verified by a static token; both are fixed at creation',
  },
  bodyShown: false,
  statuses: {
    403: {
      outcome: 'refused',
      meaning: 'the partner account lacks the module these events need (the evaluation module)',
      hint: 'Ask your partner service to enable the evaluation module for this account.',
      codeNames: 'MODULE',
    },
    422: {
      outcome: 'refused',
      meaning: 'this partner cannot receive real-estate webhooks',
      hint: 'A BNPL partner registers with: bnpl webhooks add URL',
      codes: {
        ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS:
          'a BNPL partner called the real-estate registration; it is refused whatever the events asked for, loan_approved included',
      },
    },
  },
  repeat: 'reconcile',
  changes: true,
  reconcile: 'bnpl webhooks list',
})

export const listWebhooks = call({
  section: 'GET /partner/webhook : list destinations',
  summary: 'list webhook destinations',
  method: 'GET',
  path: '/partner/webhook',
  params: [],
  auth: 'key',
  accept: 'application/json',
  success: { status: 200, meaning: 'the destinations of both integrations' },
  bodyShown: true,
  statuses: {},
  repeat: 'safe',
  changes: false,
})

export const deleteWebhook = call({
  section: 'DELETE /partner/webhook/{id} : delete a destination',
  summary: 'delete a webhook destination',
  method: 'DELETE',
  path: '/partner/webhook/{id}',
  params: ['id'],
  auth: 'key',
  accept: 'application/json',
  success: { status: 200, meaning: 'the destination is deleted' },
  bodyShown: false,
  statuses: {
    404: { outcome: 'not-found', meaning: 'no destination with this id', hint: 'See the ids with: bnpl webhooks list' },
  },
  repeat: 'safe',
  changes: true,
})
