import type { Answer, FieldName, GivenAnswers } from './description.ts'

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

/** What the service publishes beside that, for readers of `docs/banca-me.md`. The description has no fields for it. */
export const ALSO_PUBLISHED: readonly { fact: string; certainty: Certainty; page: string }[] = [
  {
    fact: 'Every call takes `Authorization: Bearer` with the private key, and answers in JSON.',
    certainty: 'several pages',
    page: 'API references',
  },
  {
    fact: 'An account has a pair of keys for each environment: a private key for servers, and a public key that starts the widget. The environments are named beta and production, development and staging, and automation (`https://automation.api.banca.me`, with its own keys, for test cases).',
    certainty: 'several pages',
    page: 'api/authentication, quickstarts, test-cases',
  },
  {
    fact: 'A widget session with `preApproveId` lasts until `validUntil`. Without `preApproveId`, the widget asks for the national id. The token is then refreshed, and its time starts again.',
    certainty: 'one page',
    page: 'api/bnpl/post-widget-start',
  },
  {
    fact: 'A verification is answered with 404 while the customer has not given a national id.',
    certainty: 'one page',
    page: 'api/bnpl/post-widget-start',
  },
  {
    fact: '`POST /partner/pre-approve/{externalTrxId}/loan/cancel` cancels a loan within 60 days of its `transferDate`. The installments that the customer has paid are refunded; `refundAmount` in the answer is their sum.',
    certainty: 'one page',
    page: 'api/bnpl/post-cancel-loan',
  },
  {
    fact: 'The step READY_FOR_LOAN shows the options, PAYMENT_SUBSCRIPTION sets up automatic payment, AUTHORIZATION checks phone and e-mail (contracts are signed at the first purchase), and ARCHIVED_FAIL is the end after a rejection, a failure or a time-out. Without a step, the widget asks for the national id.',
    certainty: 'one page',
    page: 'docs/bnpl/steps',
  },
  {
    fact: '`loan_approved` has the fields of a loan, without `preApproveId`. Its id begins with `evt_`. Its dates are times in UTC, such as `2023-09-15T15:10:33Z`.',
    certainty: 'one page',
    page: 'docs/webhooks/event-format',
  },
  {
    fact: 'The signature is an HMAC-SHA256 of the timestamp, a dot and the raw body: `bancame-signature: t=TIMESTAMP,signature=DIGEST`. The registration returns the secret.',
    certainty: 'one page',
    page: 'docs/webhooks/validate-signatures',
  },
  {
    fact: 'A receiver answers 200 within 5 seconds, and must expect duplicates. Failed deliveries are repeated.',
    certainty: 'one page',
    page: 'webhooks-api',
  },
  {
    fact: 'An error is `{"data":{"status","url","ip"}}`, where `ip` is the address of the caller. The statuses are 400, 401, 403, 404, 422, 429, 500 and 503. The codes are 400 `ERR_BNPL_PRODUCT_TYPE_NOT_ALLOWED`, 422 `ERR_BNPL_DATA_NOT_OK` and 503 `BNPL_FETCH_DATA_ERROR`.',
    certainty: 'one page',
    page: 'api/error',
  },
  {
    fact: 'The widget is `BancameWidget.create({ publicKey, widgetToken, … })`. Its callbacks are `onSuccess`, `onEvent` and `onReject` (reasons `RISK_REJECTED` and `USER_HAS_ACTIVE_LOAN`, among others). A callback proves nothing: verify the payment.',
    certainty: 'one page',
    page: 'api/authentication, widget-callbacks',
  },
  {
    fact: '`create` returns a widget with the methods `open`, `close` and `destroy`. With `buttonMode` (`hidden`, `light` or `dark`), the shop opens the widget or the widget has its own button.',
    certainty: 'one page',
    page: 'docs/bnpl/widget-methods',
  },
  {
    fact: 'Test customers: 11111111-1 is rejected, 22222222-2 fails when documents are signed, 33333333-3 begins with the authentication factors, 44444444-4 has an active loan, and every other national id passes. The code 123456 makes any factor fail.',
    certainty: 'one page',
    page: 'docs/bnpl/test-cases',
  },
  {
    fact: '`POST /partner/entity` (JSON: `externalEntityId`, `name`, `label`, `isActive`, optionally `idNumber`, `code`, `description`) adds an entity, which keeps merchants or projects of one account apart. The answer is 428 if the label or the id exists.',
    certainty: 'one page',
    page: 'api/partners',
  },
]

/** What the pages leave open, with the field that says what holds until it is known. */
export const STILL_UNKNOWN: readonly { what: string; field: FieldName | null }[] = [
  { what: 'encoding of the signature (hex is likely)', field: 'hmacEncoding' },
  {
    what: 'how old the timestamp of a signature may be, and whether it is in seconds or ms',
    field: 'signatureTolerance',
  },
  { what: 'name of the header with the token', field: 'tokenHeader' },
  { what: 'form of the dates in a verification', field: 'loanDates' },
  { what: 'all states of a loan and of an installment', field: 'loanStates' },
  { what: 'state of a loan after it was cancelled', field: 'cancelledState' },
  { what: 'how a cancellation is refused, and the body of its request', field: null },
  { what: 'where the body of an error contains its code', field: 'errorForm' },
  { what: 'whether the answer with a widget token contains `accepted`', field: 'accepted' },
  { what: 'the answer to a verification while there is a lead and no loan', field: 'notYet' },
  { what: 'names of the headers about the rate limit, and `Retry-After`', field: 'retryAfter' },
  { what: 'when failed deliveries are repeated', field: 'deliveryRetries' },
  { what: 'all reasons of `onReject`, and what the widget does without `buttonMode`', field: null },
  { what: 'address of the payment page', field: 'paymentUrl' },
  { what: 'base address of the beta environment', field: null },
  { what: 'path of the list of entities', field: 'paths.entities' },
  { what: 'path of a change of an entity', field: 'paths.entity' },
]
