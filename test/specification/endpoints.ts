import { MERCHANT, type Sentence, sentence } from './sentence.ts'

const FORMS = 'test/faults/inputs: any externalTrxId and entity id arrives unchanged in the form, or is refused'
const WIRE = 'test/specification/sandbox: '
const SENT = 'test/specification/client: each call is sent as the specification shows it'
const TYPED = 'test/specification/client: an answer is refused if a field of the specification is missing'
const ANSWERS = `${WIRE}a successful answer of every call has the single key data, and the fields in the order of the specification`
const EVALUATE = 'test/commands/evaluate: evaluate sends the specified form and shows the options'
const KEY_REFUSED =
  'src/sandbox/sandbox: every endpoint that requires a key refuses a missing key, a wrong key and an inactive partner'
const HISTORY =
  'test/commands/payment-commands: select and widget-token take omitted values from the history of evaluate'
const PAY_URL = 'test/commands/payment-commands: pay-url prints only the address'
const VERIFY = 'test/commands/payment-commands: verify exits with 10 when an expectation is not met'
const BODY = 'test/undocumented-answers: the setting %s chooses whether the body is sent as JSON or as a form'
const SHAPES = 'test/other-shapes: every command of the payment'
const PAYMENT = 'src/sandbox/sandbox: a payment goes from evaluation to a verified loan'
const ADD =
  'src/commands/webhooks/destinations: webhooks add sends only the address, and shows the secret once, on stderr'
const SUBSCRIBE = 'src/commands/webhooks/destinations: subscribe sends events, filters and the project'
const REFUSED = 'src/commands/webhooks/destinations: the error after a 422 names the command to use instead'
const FILTERED =
  'src/sandbox/service/deliveries/deliveries: new_lead has 11 fields and a static token, pre_approve has 51 fields; a filter and a project limit the deliveries'
const BNPL =
  'src/sandbox/service/handlers/webhooks: a BNPL destination is subscribed to loan_approved, whatever the request contains, and its secret is shown once'
const BNPL_REFUSED =
  'src/sandbox/service/handlers/webhooks: a subscription by a BNPL partner is refused, whatever it contains'
const SLOTS =
  'src/sandbox/service/handlers/webhooks: both endpoints together accept ten destinations, and deleting one frees its slot at once'
const KEYLESS = 'test/reports/transfer: the request to the storage carries no key and no cookie'
const STORAGE =
  'src/sandbox/service/reports: the storage refuses a request with an Authorization header, and every link that was changed'
const STATUSES =
  'src/sandbox/service/reports: the informe endpoint refuses with 400, 401, 403, 404 and 429 as the specification says'
const EXITS = 'test/reports/real-estate: each account of the sandbox has a profile, and each refusal'
const OPENED = 'src/sandbox/service/reports: urlInforme redirects to a fresh link'
const FROM_LINK = 'test/reports/from-link: a urlInforme is downloaded without a profile, and no key is sent'
const SANDBOX_LEADS = 'src/sandbox/service/handlers/evaluations: a lead exists at once, and its evaluation'
const LEADS =
  'test/reports/real-estate: from a new lead to its report, each hint names the next command, and the commands work'
const BACK =
  'test/browser/payment-page: a customer can pay by keyboard alone, and is sent to the shop ten seconds after the result'

/** The sentences about the endpoints, by the title of their section. */
export const ENDPOINTS: Readonly<Record<string, readonly Sentence[]>> = {
  Endpoints: [
    sentence(
      'All paths are under {base_url}.',
      [SENT, 'src/client/addresses: a base address is its origin and path'],
      ['test/sandbox/sandbox-start: behind a proxy the links of the sandbox lead to the proxy'],
    ),
    sentence(
      'Merchant endpoints take the header `Authorization: Bearer <API_KEY>`.',
      [SENT, 'test/faults/transport: the Authorization header'],
      [KEY_REFUSED],
    ),
  ],
  'POST /partner/pre-loan-request/bnpl : evaluate customer': [
    sentence(
      'Body (form): idNumber, amount, entityId, externalTrxId (all shown as sent).',
      [SENT],
      ['src/sandbox/service/handlers/payment: a body may be a form or JSON'],
      29,
    ),
    sentence(
      'Response: data.installmentOptions (array of installment options). The response is also where the pre-approval id to be kept originates; its field: not shown.',
      [TYPED, EVALUATE, SHAPES],
      [ANSWERS],
      1,
      26,
      46,
    ),
  ],
  'POST /partner/pre-loan-request/loan-request : report the selected option (optional step)': [
    sentence(
      'Use when the merchant shows the options on its own frontend; the service then does not show them.',
      [HISTORY],
      [
        'src/sandbox/page/pages: if the merchant reported an option, the page offers only that option',
        'src/sandbox/service/payments: if the merchant reported an option, no other option can be paid',
      ],
    ),
    sentence(
      'Body (form): preApproveId (string), installmentOption (integer, the chosen number of installments), externalTrxId (string), amount (integer).',
      [SENT, HISTORY],
      ['src/sandbox/service/handlers/payment: a reported option must match its evaluation'],
    ),
    sentence('Response: data with loanRequestId, step, preApproveId.', [TYPED, HISTORY], [ANSWERS]),
  ],
  'POST /partner/widget/start : create widget token': [
    sentence(
      "Must be called from the merchant backend only. Calling it from a client lets a malicious user create tokens on the merchant's behalf.",
      MERCHANT,
      ['src/sandbox/server/origin-check: the answer to %s %s with the browser headers %j is %i'],
    ),
    sentence(
      'Body (form): amount (integer), externalTrxId (string), entityId (string), email (string).',
      [SENT, FORMS],
      ['src/sandbox/service/handlers/payment: a body may be a form or JSON', PAYMENT],
    ),
    sentence(
      'Headers: Authorization as above; the shown request also sends Accept: application/x-www-form-urlencoded.',
      [SENT],
      [PAYMENT],
    ),
    sentence('Response: data.accepted (boolean), data.widgetToken (string).', [TYPED, HISTORY], [ANSWERS], 31),
  ],
  'Hosted payment page (redirect, not an API call)': [
    sentence(
      'Address: {payment_url}/ with query parameters widgetToken, publicKey, successReturnUrl, errorReturnUrl. Every value must be URL encoded.',
      [
        PAY_URL,
        'src/domain/addresses: the payment page address has one slash before the query, and encoded parameters in a fixed order',
      ],
      [`${WIRE}the page needs each of its four parameters, and the public key of the token’s partner`],
    ),
    sentence(
      'After the payment ends the customer is sent after 10 seconds to successReturnUrl (payment successful) or errorReturnUrl (error or rejection), each with the query parameters preApproveId and externalTrxId.',
      [
        'test/browser/walkthrough: walkthrough at a terminal asks, opens the page for a payment by keyboard, receives the return, and verifies',
      ],
      [
        BACK,
        'test/browser/payment-page: after a payment that is %s, the customer is sent to the error address',
        'test/browser/payment-page: if the token expires while the page is open, the customer is sent to the shop after ten seconds, with the ids',
      ],
    ),
    sentence(
      'preApproveId can be undefined when the customer lands on errorReturnUrl.',
      [
        'src/domain/payment-page: a pre-approval id that is missing, empty or the word “undefined” counts as no id (gap 22)',
        'test/undocumented-answers: the pre-approval id “undefined” is refused with exit 2, and nothing is sent',
      ],
      [
        'test/browser/payment-page: a customer who leaves before the national id returns to the error address with preApproveId=undefined',
      ],
      22,
    ),
    sentence(
      'The merchant must check the outcome using preApproveId (or externalTrxId) with the verification endpoint.',
      [
        'test/commands/verified-ids: verify replaces a preApproveId from the history by its externalTrxId, and says so only on stderr',
      ],
      [
        'src/sandbox/service/payments: a payment can be verified by its preApproveId as well as by its externalTrxId [specification F1]',
      ],
      43,
    ),
    sentence(
      'The JavaScript library for loading the widget (installation, usage, callbacks other than onSuccess): not shown.',
      MERCHANT,
      ['test/browser/widget: mount() with a missing or wrong option throws an error that names the option'],
      5,
    ),
  ],
  'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction': [
    sentence(
      "Path parameter: externalTrxId (the merchant's transaction id). Body: empty object. Header: Authorization.",
      [
        'test/faults/inputs: any externalTrxId arrives unchanged in the path, or is refused before anything is sent',
        BODY,
      ],
      ['src/sandbox/service/handlers/bodies: a body counts as an empty object: %s', KEY_REFUSED],
      10,
      21,
    ),
    sentence('Response: data as in the Loan resource.', [TYPED, VERIFY], [ANSWERS]),
  ],
  'POST /partner/webhook : register a BNPL webhook destination': [
    sentence(
      'Body: url only (HTTPS address). Fields eventTypes and filters, if sent, are ignored without error.',
      [
        SENT,
        ADD,
        'src/commands/webhooks/destinations: webhooks add does not send events or filters, and names the command that does',
      ],
      [BNPL, 'src/sandbox/service/handlers/bodies: a BNPL registration ignores %s'],
      10,
      36,
    ),
    sentence(
      'Success: 201 and a destination subscribed to loan_approved, verified by HMAC (both fixed at creation). Body of the 201 response: not shown.',
      [ADD, 'test/faults/answers: a destination is created after a 201', SHAPES],
      [BNPL],
      6,
    ),
    sentence('Used by BNPL partners, including new integrations.', [REFUSED], [BNPL]),
  ],
  'POST /partner/webhook/subscription : register a real-estate webhook destination': [
    sentence(
      'Body fields named: url, eventTypes (which events to receive: new_lead, pre_approve), filters (pre_approve can be filtered by outcome), and a project scope restricting a destination to a single project. The shape of the filters and the name of the project field: not shown.',
      [SENT, SUBSCRIBE, 'test/foreign/prism: the proxy prism, between the command line and the sandbox'],
      [
        FILTERED,
        'src/sandbox/service/handlers/bodies: a form subscribes to both events, in the encoding of %s',
        'test/foreign/generated-clients: subscribes to two events with JSON, and the destination has both events',
      ],
      9,
      27,
      37,
    ),
    sentence(
      'Destination verifies by token.',
      ['test/receiver/ending: --public-url with --scheme token registers a destination with the token scheme'],
      [FILTERED],
      8,
    ),
    sentence(
      'Rejected with 422 ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS for BNPL partners, unconditionally, even when only loan_approved is requested.',
      [
        REFUSED,
        'test/undocumented-answers: after a 422 to a subscription, webhooks add is suggested only if the code is the specified one',
      ],
      [BNPL_REFUSED],
    ),
    sentence(
      'Both events require the evaluation module; without it the request is refused with 403 naming the module.',
      [REFUSED],
      [
        'src/sandbox/service/handlers/webhooks: a subscription without the evaluation module is refused, and the error names the module',
      ],
      37,
    ),
  ],
  'GET /partner/webhook : list destinations': [
    sentence(
      'Behaves the same for both integrations; each listed destination has verificationScheme. Response shape beyond that: not shown.',
      [
        'src/commands/webhooks/destinations: webhooks list shows the destinations as received, and how many of the ten are used',
        SHAPES,
      ],
      [SLOTS],
      44,
    ),
  ],
  'DELETE /partner/webhook/{id} : delete a destination': [
    sentence(
      'Behaves the same for both integrations. Deleting frees its slot immediately. Response shape: not shown.',
      ['src/commands/webhooks/destinations: webhooks rm deletes a destination by its id or by its address', SHAPES],
      [SLOTS],
      20,
    ),
  ],
  'GET /partner/pre-approve/{preApproveId}/informe : get the evaluation report link': [
    sentence(
      'Path parameter: preApproveId (the pre-approval id, idPreAprobacion; not a preLoanRequestId, which does not work). Requires the API token.',
      ['test/fuzz/inputs: any path parameter gives a documented exit code', EXITS],
      [STATUSES],
    ),
    sentence(
      '200 response: data.url, a pre-signed link to the PDF. The PDF is not in the body; it is fetched with a second plain GET against that url.',
      [
        'src/client/fetch-pdf: a report is fetched without a key',
        'test/reports/storage-server: a report is downloaded whole from a real S3-compatible server',
      ],
      [`${WIRE}every call for a report gets a link of its own`],
      42,
    ),
    sentence(
      'The second request must carry no Authorization header; adding one makes the storage layer reject it.',
      [KEYLESS],
      [STORAGE],
    ),
    sentence(
      'The link lives 1800 seconds (30 minutes).',
      ['test/reports/informe: only informe get shows the link, with its expiry'],
      [STORAGE],
    ),
    sentence(
      'It must not be persisted; call the endpoint again for a fresh link. The id and this endpoint address may be persisted.',
      [
        'test/commands/canary: kill -9',
        'test/reports/transfer: after a %i for an expired link, a new link is requested once',
      ],
      MERCHANT,
    ),
    sentence('200 link issued;', ['test/reports/informe: download saves the PDF'], [STORAGE]),
    sentence('400 invalid or missing API token;', [EXITS], [STATUSES], 38),
    sentence('401 the pre-approval belongs to another partner;', [EXITS], [STATUSES], 38),
    sentence('403 partner inactive;', [EXITS], [STATUSES], 38),
    sentence('404 no pre-approval with this id;', [EXITS], [STATUSES], 38),
    sentence(
      '429 rate limit exceeded;',
      [
        'test/faults/answers: Retry-After is obeyed as seconds or as a date, ignored if invalid, and exits with 7 above one minute',
      ],
      [
        'src/sandbox/service/reports: the informe endpoint refuses with 400, 401, 403, 404 and 429 as the specification says',
      ],
      17,
    ),
    sentence(
      '503 report could not be rendered (ERR_UNABLE_TO_RENDER_INFORME) or link could not be signed (ERR_STORAGE_S3_PRESIGNED_GET). Both 503 cases are 503, not 500.',
      [
        'test/reports/real-estate: a call is repeated after either kind of 503; if the 503 persists, its code is reported',
      ],
      [
        'src/sandbox/service/faults: an injected status is answered with its documented code, and with Retry-After',
        'test/reports/real-estate: a call is repeated after either kind of 503; if the 503 persists, its code is reported',
      ],
    ),
  ],
  'Open the report from its link': [
    sentence(
      'Takes a path parameter signature (received in urlInforme); no API token; it is not accepted.',
      [FROM_LINK],
      [OPENED],
      41,
    ),
    sentence(
      'Answers 302 redirecting to the signed download link.',
      ['test/reports/from-link: exactly one redirect is followed'],
      [OPENED],
    ),
    sentence(
      'Serves the same document as the endpoint above. Its path: not shown.',
      [FROM_LINK],
      [`${WIRE}a report is the same document by its link and by its endpoint`],
      13,
    ),
  ],
  'Evaluation reads': [
    sentence(
      'GET /partner/pre-approve/rut/{rut}: latest evaluation by national id; response data contains idPreAprobacion and urlInforme.',
      ['test/reports/real-estate: a national id is checked, sent as specified'],
      ['src/sandbox/service/handlers/evaluations: a read returns the latest evaluation of a person', SANDBOX_LEADS],
      39,
    ),
    sentence(
      'Get an evaluation by lead id (data has idPreAprobacion, urlInforme), list leads (each row has idPreAprobacion only) and get lead details (neither field) exist. Their paths and other fields: not shown.',
      [
        'test/reports/real-estate: the specification shows no path for %s, so the error names the setting that sets the path',
        LEADS,
      ],
      [SANDBOX_LEADS],
      14,
    ),
  ],
}
