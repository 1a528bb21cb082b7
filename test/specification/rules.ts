import { MERCHANT, SERVICE, type Sentence, sentence } from './sentence.ts'

const WIRE = 'test/specification/sandbox: '
const SENT = 'test/specification/client: each call is sent as the specification shows it'
const KEY_REFUSED =
  'src/sandbox/sandbox: every endpoint that requires a key refuses a missing key, a wrong key and an inactive partner'
const REFUSED_KEY = 'test/faults/answers: [row 31]'
const ORIGIN = 'src/profiles/resolve: a stored key is used only with the origin it was stored for'
const SIGNED = 'src/sandbox/service/deliveries/deliveries: a payment is delivered to its destinations: an envelope'
const DELIVERED =
  'src/sandbox/service/deliveries/deliveries: new_lead has 11 fields and a static token, pre_approve has 51 fields; a filter and a project limit the deliveries'
const RECEIVED = 'test/receiver/verification: an invalid signature is answered 401, never 500, and nothing is stored'
const RAW =
  'test/receiver/verification: %s: the signature is verified on the raw bytes, and the bytes are stored unchanged'
const SCHEME =
  'test/receiver/verification: a delivery with the header of the other scheme is answered 401, even if it has the right header too'
const CHAIN = 'test/receiver/chain: a payment is delivered, verified, stored'
const LEAD_CHAIN = 'test/receiver/chain: a lead is delivered at once'
const MODULE =
  'src/sandbox/service/handlers/webhooks: a subscription without the evaluation module is refused, and the error names the module'
const MODULE_SAID = 'src/commands/webhooks/destinations: the error after a 422 names the command to use instead'
const KEYLESS = 'test/reports/transfer: the request to the storage carries no key and no cookie'
const STORAGE =
  'src/sandbox/service/reports: the storage refuses a request with an Authorization header, and every link that was changed'
const ONCE =
  'test/receiver/storing: 1,000 simultaneous copies of an event are all acknowledged, and the event is emitted once'
const AGAIN = 'src/sandbox/service/deliveries/deliveries: a new_lead that fails is never sent again; a loan_approved is'
const BOTH_503 =
  'test/reports/real-estate: a call is repeated after either kind of 503; if the 503 persists, its code is reported'
const FAULT_503 =
  'src/sandbox/service/faults: an injected status is answered with its documented code, and with Retry-After'
const STATUSES =
  'src/sandbox/service/reports: the informe endpoint refuses with 400, 401, 403, 404 and 429 as the specification says'
const EXITS = 'test/reports/real-estate: each account of the sandbox has a profile, and each refusal'
const SLOTS =
  'src/sandbox/service/handlers/webhooks: both endpoints together accept ten destinations, and deleting one frees its slot at once'
const SLOTS_SAID =
  'src/commands/webhooks/destinations: if all ten destinations are used, the error names the command that deletes one'
const PAID_IN_WIDGET = 'test/browser/widget: a payment in the widget calls onSuccess once'
const TRIGGER =
  'test/receiver/trigger: a new_lead event has the token and 11 fields; a pre_approve event has 51 fields, with idPreAprobacion'
const TEN_SECONDS =
  'test/browser/payment-page: a customer can pay by keyboard alone, and is sent to the shop ten seconds after the result'

/** The sentences that apply to several endpoints, by the title of their section. */
export const RULES: Readonly<Record<string, readonly Sentence[]>> = {
  Authentication: [
    sentence(
      "Every call is authenticated with the merchant's API key sent as `Authorization: Bearer <API_KEY>`. A call without a key or with a wrong key returns an error.",
      [
        'src/client/client: without a key or with an invalid value nothing is sent, and the error says why',
        REFUSED_KEY,
        'test/undocumented-answers: a 400 without a code gives the hint that the key may be wrong; a 400 with a code about the request does not',
      ],
      [KEY_REFUSED],
      16,
    ),
    sentence(
      'One API key is needed per merchant that integrates. Each account has two key pairs: test (beta) and production.',
      [
        ORIGIN,
        'test/commands/account-guards: a change in production without a terminal needs --yes; without --yes nothing is sent',
      ],
      [
        'src/sandbox/service/environments: an API key is accepted at the address of its environment, and refused at the address of the other environment',
      ],
      35,
    ),
    sentence(
      "Widget tokens are created with the API key from the backend and then passed to the widget or payment page. The widget token's validity is 10 minutes.",
      ['test/commands/payment-commands: pay-url prints only the address'],
      [
        'src/sandbox/service/payments: a token is valid for exactly ten minutes of the sandbox clock',
        'src/sandbox/service/payments: a payment is refused if the token is forged, unsigned, altered or missing, or if the public key is wrong',
      ],
      30,
    ),
    sentence(
      'The hosted payment page also receives a publicKey. Where the publicKey is obtained: not shown.',
      ['test/commands/payment-commands: pay-url prints only the address'],
      [`${WIRE}the page needs each of its four parameters, and the public key of the token’s partner`],
      4,
    ),
    sentence(
      'BNPL, POST /partner/webhook, loan_approved, HMAC signature sent in header `service-signature`, computed over the raw request body',
      [RECEIVED, RAW],
      [
        SIGNED,
        'src/sandbox/service/deliveries/deliveries: parsing a delivery and writing it again with JSON.stringify never gives the same bytes',
      ],
    ),
    sentence(
      'Real estate, POST /partner/webhook/subscription, new_lead, pre_approve, static token sent in header `service-webhook-secret`; the receiver compares it with its expected value; any platform with native header authentication can do this',
      [SCHEME, LEAD_CHAIN],
      [DELIVERED],
    ),
    sentence(
      'The algorithm, encoding and secret of the HMAC signature: not shown. How the token secret is issued: not shown.',
      [
        'src/commands/webhooks/verify-signature: a valid signature exits with 0, whether the secret is from the environment, a file or stdin',
        'src/domain/signature: a signature is the HMAC of the raw bytes, in every algorithm and encoding',
      ],
      [SIGNED],
      7,
      8,
    ),
    sentence(
      'The pre-signed report link carries its own credentials; the API token must not be sent to it. The link-based report access takes no API token.',
      [KEYLESS, 'test/reports/from-link: a urlInforme is downloaded without a profile, and no key is sent'],
      [STORAGE, 'src/sandbox/service/reports: urlInforme redirects to a fresh link'],
    ),
    sentence('The real-estate events require the evaluation module on the partner account.', [MODULE_SAID], [MODULE]),
  ],
  'Widget callbacks': [
    sentence(
      'The widget emits an onSuccess event when payment succeeded. After it, the merchant verifies the transaction from its backend. Other callbacks: not shown.',
      MERCHANT,
      [
        PAID_IN_WIDGET,
        'test/browser/widget: a rejected, cancelled or expired payment is shown in the frame and calls its own callback',
      ],
      5,
    ),
  ],
  'Webhook events': [
    sentence(
      'loan_approved, BNPL, fixed subscription at creation; the trigger is not described beyond the event name, payload fields not shown',
      [CHAIN, 'test/receiver/trigger: trigger loan_approved signs the bytes of the body and sends a loan'],
      [SIGNED],
      11,
      12,
    ),
    sentence(
      'new_lead, real estate, the moment the lead is created, before any evaluation, 11 identity and contact fields',
      [LEAD_CHAIN, TRIGGER],
      [
        DELIVERED,
        'src/sandbox/service/deliveries/deliveries: a new_lead is sent at once, even while its destination is slow to answer other deliveries',
      ],
      11,
    ),
    sentence(
      "pre_approve, real estate, when the lead's evaluation finishes, the full evaluation, 51 fields, including idPreAprobacion and urlInforme",
      [LEAD_CHAIN, TRIGGER],
      [
        DELIVERED,
        'src/sandbox/service/handlers/evaluations: new_lead has 11 fields, and pre_approve has the whole evaluation in 51 fields',
      ],
      11,
    ),
    sentence(
      'The two real-estate events are the same lead at two moments.',
      ['src/contract/events: the kind of event follows from the scheme'],
      [
        'src/sandbox/service/handlers/evaluations: new_lead has 11 fields, and pre_approve has the whole evaluation in 51 fields',
      ],
    ),
    sentence(
      'Envelope of every delivery: an object with `eventId` and `data`. There is no event-type field in it.',
      [
        'src/domain/envelope: an envelope has an eventId and data',
        'src/contract/events: the kind of event follows from the scheme',
      ],
      [SIGNED],
      45,
      49,
    ),
    sentence(
      'A retry carries the same eventId.',
      [ONCE, 'test/receiver/storing: events that were emitted are known after a restart'],
      [AGAIN],
    ),
    sentence(
      'Delivery rules: destinations are HTTPS only; redirects are not followed; the BNPL webhook is the recommended way to verify a transaction.',
      [
        'src/commands/webhooks/destinations: an address that the service cannot deliver to is refused before anything is sent: %s',
        'test/receiver/conformance: a receiver that redirects',
      ],
      [
        'src/sandbox/service/handlers/webhooks: an address must be https; http is accepted only on loopback, and only if it was allowed',
        'src/sandbox/service/deliveries/deliveries: a redirect is a failed attempt and is not followed; an attempt with an endless answer succeeds',
      ],
      47,
    ),
    sentence(
      'The individual payload fields of the three events: not shown beyond the counts above.',
      ['src/contract/fields: the value of each field that the specification names is shown'],
      [DELIVERED],
      11,
    ),
    sentence(
      'The report can be recovered without the webhook: read the evaluation (by lead id or national id) to get the same idPreAprobacion and call the informe endpoint.',
      [
        'test/reports/real-estate: from a new lead to its report, each hint names the next command, and the commands work',
      ],
      [`${WIRE}a report is the same document by its link and by its endpoint`],
    ),
    sentence(
      'Post-payment flow: onSuccess in the widget, then verification by webhook or by the verification endpoint.',
      [CHAIN],
      [PAID_IN_WIDGET, 'test/browser/whole-chain: the whole chain'],
    ),
  ],
  Errors: [
    sentence(
      '422, ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS, a BNPL partner calls POST /partner/webhook/subscription',
      [MODULE_SAID],
      ['src/sandbox/service/handlers/webhooks: a subscription by a BNPL partner is refused, whatever it contains'],
    ),
    sentence(
      '403, names the missing module, a real-estate event is requested without the evaluation module',
      [MODULE_SAID],
      [MODULE],
    ),
    sentence('503, ERR_UNABLE_TO_RENDER_INFORME, the report could not be rendered', [BOTH_503], [FAULT_503]),
    sentence('503, ERR_STORAGE_S3_PRESIGNED_GET, the download link could not be signed', [BOTH_503], [BOTH_503]),
    sentence('400, 401, 403, 404, 429, as listed for the informe endpoint, see that endpoint', [EXITS], [STATUSES]),
    sentence(
      'a call with no API key or an incorrect one returns an error (the status is not stated).',
      [REFUSED_KEY],
      [KEY_REFUSED],
      16,
    ),
    sentence(
      'Sending eventTypes or filters to POST /partner/webhook is not an error (201, ignored).',
      [
        'src/commands/webhooks/destinations: webhooks add does not send events or filters, and names the command that does',
      ],
      ['src/sandbox/service/handlers/bodies: a BNPL registration ignores %s'],
    ),
    sentence(
      'Error body shape: not shown. Error codes of the other endpoints: not shown.',
      [
        'src/contract/problem: the code and the message are found in error bodies of many shapes: %s',
        'src/contract/problem: property: reading the error in a body never throws',
      ],
      ['src/sandbox/conventions: every code that an endpoint of the sandbox answers is named'],
      15,
      34,
      40,
    ),
  ],
  Limits: [
    sentence(
      'widget token validity, 10 minutes, widgetToken',
      ['test/faults/interrupt: a widget token whose ten minutes are over is refused'],
      ['src/sandbox/service/payments: a token is valid for exactly ten minutes of the sandbox clock'],
    ),
    sentence('redirect delay after payment, 10 seconds, hosted payment page', SERVICE, [TEN_SECONDS]),
    sentence(
      'report download link validity, 1800 seconds, url of the informe endpoint',
      ['test/reports/informe: only informe get shows the link, with its expiry'],
      [STORAGE],
    ),
    sentence(
      'active webhook destinations, 10 per partner; deleting one frees its slot immediately, both registration endpoints',
      [SLOTS_SAID, 'test/undocumented-answers: if all ten destinations are used'],
      [SLOTS, 'src/sandbox/service/handlers/webhooks: of many destinations created at once, in two sandboxes'],
      36,
    ),
    sentence(
      'delivery timeout for new_lead, 3 seconds, no retry at all, new_lead delivery',
      ['test/receiver/conformance: a receiver that answers after more than 3 s fails the check of this limit'],
      [
        AGAIN,
        'src/sandbox/service/deliveries/deliveries: the answer to a new_lead must be complete within 3 s, otherwise it counts as no answer',
      ],
    ),
    sentence(
      'Rate limiting exists (429 on the informe endpoint); rate limit values: not shown. Timeouts and retry counts for loan_approved and pre_approve: not shown. Bounds of amount and of installment counts: not shown.',
      [
        'src/client/retry: Retry-After is read as seconds or as a date of RFC 9110; any other value is ignored',
        'test/faults/inputs: any amount up to 2^53',
      ],
      [
        'src/sandbox/sandbox: a call above the rate limit is refused before anything is done, and calls of other partners are not refused',
        'src/sandbox/service/deliveries/deliveries: the waits between attempts can be set, and each further attempt is made after its wait',
        'src/sandbox/service/handlers/payment: the smallest and the largest amount are accepted, amounts beyond them are refused',
      ],
      12,
      17,
      18,
      28,
    ),
  ],
  Versioning: [sentence('Versioning: not shown.', [SENT], 'no test: the sandbox has no API versions', 23)],
}
