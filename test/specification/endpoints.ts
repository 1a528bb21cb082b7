import { MERCHANT, type Sentence, sentence } from './sentence.ts'

const FORMS = 'test/faults/inputs: any externalTrxId, entity and e-mail arrive in the form as meant'
const WIRE = 'test/specification/sandbox: '
const SENT = 'test/specification/client: each call is sent as the specification shows it'
const TYPED = 'test/specification/client: an answer is refused if a field of the specification is missing'
const ANSWERS = `${WIRE}a success of every call has the one key data, and the fields of the specification in its order`
const EVALUATE = 'test/evaluate: evaluate sends the specified form and shows the options'
const KEY_REFUSED = 'src/sandbox/sandbox: every endpoint that takes a key refuses a missing and a wrong one'
const HISTORY = 'test/payment-commands: select and widget-token take omitted values from the history of evaluate'
const PAY_URL = 'test/payment-commands: pay-url prints only the address'
const VERIFY = 'test/payment-commands: verify exits with 10 when an expectation is not met'
const BODY = 'test/undocumented-answers: the setting %s sends JSON where it says json'
const SHAPES = 'test/other-shapes: every command of the payment'
const PAYMENT = 'src/sandbox/sandbox: a payment goes from evaluation to a verified loan'
const ADD = 'src/commands/webhooks/destinations: add sends the address alone'
const SUBSCRIBE = 'src/commands/webhooks/destinations: subscribe sends events, filters and the project'
const REFUSED = 'src/commands/webhooks/destinations: the error after a 422 names the command to use instead'
const FILTERED = 'src/sandbox/service/deliveries/deliveries: new_lead carries 11 fields and a static token'
const BNPL = 'src/sandbox/service/handlers/webhooks: a BNPL destination receives loan_approved whatever was sent'
const BNPL_REFUSED = 'src/sandbox/service/handlers/webhooks: a BNPL partner is refused the subscription'
const SLOTS = 'src/sandbox/service/handlers/webhooks: ten destinations over both endpoints'
const KEYLESS = 'test/reports/transfer: the request to the storage carries no key and no cookie'
const STORAGE = 'src/sandbox/service/reports: the storage refuses a link with an Authorization header'
const STATUSES = 'src/sandbox/service/handlers/evaluations: the informe endpoint answers the statuses'
const EXITS = 'test/reports/real-estate: each account of the sandbox has a profile, and each refusal'
const OPENED = 'src/sandbox/service/reports: urlInforme redirects to a fresh link'
const FROM_LINK = 'test/reports/from-link: a urlInforme is opened without a profile and without a key'
const SANDBOX_LEADS = 'src/sandbox/service/handlers/evaluations: a lead exists at once, and its evaluation'
const LEADS = 'test/reports/real-estate: the commands that are suggested lead from a lead to its report'
const BACK = 'test/browser/payment-page: by keyboard alone: a plan, confirm'

/** The sentences about the endpoints, by the title of their section. */
export const ENDPOINTS: Readonly<Record<string, readonly Sentence[]>> = {
  Endpoints: [
    sentence(
      'All paths are under {base_url}.',
      [SENT, 'src/client/addresses: a base address is its origin and path'],
      ['test/sandbox-start: behind a proxy the links of the sandbox lead to the proxy'],
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
        'src/sandbox/page/pages: a reported plan is the only plan',
        'src/sandbox/service/payments: a reported option is the only one',
      ],
    ),
    sentence(
      'Body (form): preApproveId (string), installmentOption (integer, the chosen number of installments), externalTrxId (string), amount (integer).',
      [SENT, HISTORY],
      ['src/sandbox/service/handlers/payment: a selection must match its evaluation'],
    ),
    sentence('Response: data with loanRequestId, step, preApproveId.', [TYPED, HISTORY], [ANSWERS]),
  ],
  'POST /partner/widget/start : create widget token': [
    sentence(
      "Must be called from the merchant backend only. Calling it from a client lets a malicious user create tokens on the merchant's behalf.",
      MERCHANT,
      ['src/sandbox/server/gate: the answer to %s %s with the browser headers %j is %i'],
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
      [PAY_URL, 'src/domain/origin: the payment page has one slash at its end'],
      [`${WIRE}the page needs each of its four parameters, and the public key of the token’s partner`],
    ),
    sentence(
      'After the payment ends the customer is sent after 10 seconds to successReturnUrl (payment successful) or errorReturnUrl (error or rejection), each with the query parameters preApproveId and externalTrxId.',
      ['test/browser/walkthrough: the walkthrough at a terminal asks, shows the page, catches the return'],
      [
        BACK,
        'test/browser/payment-page: a payment that is %s goes to the error address',
        'test/browser/payment-page: a page on which the time runs out goes back',
      ],
    ),
    sentence(
      'preApproveId can be undefined when the customer lands on errorReturnUrl.',
      [
        'src/domain/domain: an absent, an empty and the literal “undefined” pre-approval id mean none',
        'test/undocumented-answers: the word undefined of a return address',
      ],
      ['test/browser/payment-page: without an evaluation the error address gets the text "undefined"'],
      22,
    ),
    sentence(
      'The merchant must check the outcome using preApproveId (or externalTrxId) with the verification endpoint.',
      ['test/verified-ids: verify takes a preApproveId of the history'],
      ['src/sandbox/service/payments: a payment is verified by its preApproveId as by its externalTrxId'],
      43,
    ),
    sentence(
      'The JavaScript library for loading the widget (installation, usage, callbacks other than onSuccess): not shown.',
      MERCHANT,
      ['test/browser/widget: a wrong call of mount() says what is wrong'],
      5,
    ),
  ],
  'POST /partner/pre-approve/{externalTrxId}/loan : verify transaction': [
    sentence(
      "Path parameter: externalTrxId (the merchant's transaction id). Body: empty object. Header: Authorization.",
      ['test/faults/inputs: any externalTrxId arrives in the path', BODY],
      ['src/sandbox/service/handlers/bodies: %s is an empty object', KEY_REFUSED],
      10,
      21,
    ),
    sentence('Response: data as in the Loan resource.', [TYPED, VERIFY], [ANSWERS]),
  ],
  'POST /partner/webhook : register a BNPL webhook destination': [
    sentence(
      'Body: url only (HTTPS address). Fields eventTypes and filters, if sent, are ignored without error.',
      [SENT, ADD, 'src/commands/webhooks/destinations: events and filters given to add are not sent'],
      [BNPL, 'src/sandbox/service/handlers/bodies: a BNPL registration ignores %s'],
      10,
      36,
    ),
    sentence(
      'Success: 201 and a destination subscribed to loan_approved, verified by HMAC (both fixed at creation). Body of the 201 response: not shown.',
      [ADD, 'test/faults/answers: a destination counts as created after a 201', SHAPES],
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
        'src/sandbox/service/handlers/bodies: a form subscribes to both events as %s writes them',
        'test/foreign/generated-clients: subscribes to two events, and gets both',
      ],
      9,
      27,
      37,
    ),
    sentence(
      'Destination verifies by token.',
      ['test/receiver/ending: --public-url with the token scheme'],
      [FILTERED],
      8,
    ),
    sentence(
      'Rejected with 422 ERR_PARTNER_PRODUCT_CANNOT_RECEIVE_WEBHOOKS for BNPL partners, unconditionally, even when only loan_approved is requested.',
      [REFUSED, 'test/undocumented-answers: only a 422 with the specified code'],
      [BNPL_REFUSED],
    ),
    sentence(
      'Both events require the evaluation module; without it the request is refused with 403 naming the module.',
      [REFUSED],
      ['src/sandbox/service/handlers/webhooks: without the evaluation module the refusal names it'],
      37,
    ),
  ],
  'GET /partner/webhook : list destinations': [
    sentence(
      'Behaves the same for both integrations; each listed destination has verificationScheme. Response shape beyond that: not shown.',
      ['src/commands/webhooks/destinations: list shows the destinations as sent', SHAPES],
      [SLOTS],
      44,
    ),
  ],
  'DELETE /partner/webhook/{id} : delete a destination': [
    sentence(
      'Behaves the same for both integrations. Deleting frees its slot immediately. Response shape: not shown.',
      ['src/commands/webhooks/destinations: rm deletes by id and by address', SHAPES],
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
      ['test/reports/informe: only get shows the link, with its expiry'],
      [STORAGE],
    ),
    sentence(
      'It must not be persisted; call the endpoint again for a fresh link. The id and this endpoint address may be persisted.',
      ['test/canary: kill -9', 'test/reports/transfer: an expired link is requested once more'],
      MERCHANT,
    ),
    sentence('200 link issued;', ['test/reports/informe: download saves the PDF'], [STORAGE]),
    sentence('400 invalid or missing API token;', [EXITS], [STATUSES], 38),
    sentence('401 the pre-approval belongs to another partner;', [EXITS], [STATUSES], 38),
    sentence('403 partner inactive;', [EXITS], [STATUSES], 38),
    sentence('404 no pre-approval with this id;', [EXITS], [STATUSES], 38),
    sentence(
      '429 rate limit exceeded;',
      ['test/faults/answers: Retry-After is honoured in seconds'],
      ['src/sandbox/service/reports: the endpoint has every status of the specification'],
      17,
    ),
    sentence(
      '503 report could not be rendered (ERR_UNABLE_TO_RENDER_INFORME) or link could not be signed (ERR_STORAGE_S3_PRESIGNED_GET). Both 503 cases are 503, not 500.',
      ['test/reports/real-estate: both kinds of 503 are repeated'],
      [
        'src/sandbox/service/faults: a status brings the code that is documented for it',
        'test/reports/real-estate: both kinds of 503 are repeated',
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
      ['test/reports/real-estate: %s names the setting it needs', LEADS],
      [SANDBOX_LEADS],
      14,
    ),
  ],
}
