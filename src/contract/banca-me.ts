import type { Answer, GivenAnswers } from './description.ts'

/** The day on which the pages of docs.banca.me were read. */
const READ = '2026-11-28'

type Certainty = 'several pages' | 'one page' | 'an example' | 'inferred'

const said = (text: string, certainty: Certainty, page: string): Answer => ({
  text,
  source: { page: `docs.banca.me: ${page}`, read: READ, certainty },
})

/** What the service publishes about the questions of a description. Where nothing is published, the specification and its conventions hold. */
export const BANCA_ME: GivenAnswers = {
  baseUrl: said('https://api.banca.me', 'several pages', 'API references'),
  steps: said('READY_FOR_LOAN,PAYMENT_SUBSCRIPTION,AUTHORIZATION,ARCHIVED_FAIL', 'one page', 'docs/bnpl/steps'),
  loanStates: said('ACTIVE', 'an example', 'docs/webhooks/event-format'),
  installmentStates: said('ACTIVE,PAID', 'an example', 'docs/webhooks/event-format'),
  paidState: said('PAID', 'an example', 'docs/webhooks/event-format'),
  hmacAlgorithm: said('sha256', 'one page', 'docs/webhooks/validate-signatures'),
  hmacEncoding: said('hex', 'inferred', 'docs/webhooks/validate-signatures'),
  signatureHeader: said('bancame-signature', 'one page', 'docs/webhooks/validate-signatures'),
  signatureForm: said('timestamp', 'one page', 'docs/webhooks/validate-signatures'),
  tokenHeader: said('bancame-webhook-secret', 'inferred', 'docs/webhooks/validate-signatures'),
  'bodies.verification': said('form', 'one page', 'api/bnpl overview'),
  'bodies.registration': said('json', 'one page', 'webhooks-api overview'),
  'bodies.subscription': said('json', 'inferred', 'webhooks-api overview'),
  deliveryTimeout: said('5s', 'one page', 'webhooks-api'),
  errorForm: said('data', 'one page', 'api/error'),
  wrongKeyStatus: said('401', 'one page', 'api/error'),
  rateLimit: said('100/1m', 'several pages', 'webhooks-api, risk-evaluation-api'),
  // Both pages say that answers have headers about the limit, and neither shows their names.
  rateHeaders: said('x-ratelimit', 'inferred', 'webhooks-api, risk-evaluation-api'),
  rateLimitPer: said('key', 'several pages', 'webhooks-api, risk-evaluation-api'),
  eventPreApproveId: said('no', 'one page', 'docs/webhooks/event-format'),
  eventIdPrefix: said('evt_', 'one page', 'docs/webhooks/event-format'),
  // The page names only 404. The other answers are kept, because a client that bears them loses nothing.
  notYet: said('404,409,422,empty', 'inferred', 'api/bnpl/post-widget-start'),
  // The page does not mention `accepted`. A service without it and one with it are both as published.
  accepted: said('optional', 'inferred', 'api/bnpl/post-widget-start'),
  validUntil: said('yes', 'one page', 'api/bnpl/post-widget-start'),
  widgetPreApproveId: said('yes', 'one page', 'api/bnpl/post-widget-start'),
  needsEvaluation: said('no', 'several pages', 'quickstart_no_preval, docs/bnpl/steps'),
  loanDates: said('date-time', 'an example', 'docs/webhooks/event-format'),
  cancel: said('yes', 'one page', 'api/bnpl/post-cancel-loan'),
  entities: said('yes', 'one page', 'api/partners'),
}
