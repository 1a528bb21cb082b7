/** The facts that the specification does not show, by number: what is not shown, and the behaviour that was chosen for the sandbox. */
const NOT_SHOWN = {
  1: ['field of the evaluation response that contains the pre-approval id', '`data.preApproveId`'],
  2: [
    'loan-request steps other than AUTHORIZATION',
    '`READY_FOR_LOAN`, `PAYMENT_SUBSCRIPTION`, `AUTHORIZATION` and `ARCHIVED_FAIL`, as the service banca.me publishes them. A selection is answered with `AUTHORIZATION`',
  ],
  3: [
    'states of loans and installments other than ACTIVE',
    '`ACTIVE`. A paid installment is `PAID`, and so is a loan whose installments are all paid. For a cancelled loan see gap 50',
  ],
  4: ['where the publicKey comes from', 'printed by the sandbox next to the API key'],
  5: [
    'installation and usage of the JavaScript widget, and its callbacks other than `onSuccess`',
    '`widget.js` has the interface that banca.me publishes (`BancameWidget.create`), and one of its own (`BnplWidget.mount`) with `onSuccess` and the callbacks `onReject`, `onCancel`, `onExpire` and `onError`',
  ],
  6: [
    'fields of a destination other than `id`, `url` and `verificationScheme`, and the body of the 201 answer to a registration',
    '`id`, `url`, `verificationScheme` (`HMAC` or `token`, as the specification writes them), `eventTypes`, `filters`, `projectId` and `createdAt`. Only the 201 answer also contains `secret`',
  ],
  7: [
    'HMAC algorithm, encoding and secret',
    'SHA-256 in lower-case hex over the raw body, with a different secret for each destination. The body is JSON with unusual spacing, so a body that was parsed and written again has a different signature',
  ],
  8: [
    'how the secret of the token scheme is issued',
    'the secret is random. Only the 201 answer to the registration contains it',
  ],
  9: [
    'shape of `filters`, and name of the project field',
    '`filters[outcome]=approved` or `filters[outcome]=rejected` for pre_approve, and the project field `projectId`',
  ],
  10: [
    'encoding of the body of a registration, and of the body of a verification (an empty object)',
    'accepts form and JSON. A missing or empty body counts as an empty object. So do `{}`, `[]` and `null`, with any content type',
  ],
  11: [
    'payload fields of the events',
    '`loan_approved` contains the terms and the ids of the loan. `new_lead` has 11 fields, and `pre_approve` has 51 fields. All field names except `idPreAprobacion` and `urlInforme` are invented',
  ],
  12: [
    'retry counts and time-outs of the events other than new_lead',
    'the time-out is 5 s. There are three retries, after waiting times of 5 s, 30 s and 5 minutes (each ±20 %). You can set other waiting times',
  ],
  13: ['path of the call that opens a report from its link', '`/partner/informe/{signature}`'],
  14: [
    'paths of three calls (evaluation of a lead, list of leads, details of a lead), and the paging and fields of the list of leads',
    '`/partner/pre-approve/lead/{leadId}`, `/partner/leads`, `/partner/leads/{leadId}`',
  ],
  15: ['shape of error bodies, and the error codes of most endpoints', '`{"error":{"code":"ERR_…","message":"…"}}`'],
  16: [
    'status for a missing or wrong key on endpoints other than the informe endpoint',
    '401 `ERR_UNAUTHORIZED`, or 400 on the informe endpoint, as specified. A beta key in production and a production key in beta are refused in the same way. Each path of the production environment begins with `/production`',
  ],
  17: [
    'rate limits, `Retry-After`',
    '1,000 calls at once, then 250 a second, for each account and endpoint. `Retry-After` is in seconds',
  ],
  18: [
    'bounds of amount and of installments',
    'amounts from 1,000 to 50,000,000, and options of 3, 6, 12 and 24 installments',
  ],
  19: ['currency', 'calls and answers name no currency. The payment page and the reports write amounts with `$`'],
  20: ['response shape of delete', '200 with `data: {}`'],
  21: [
    'status of the answer when a transaction without a loan is verified',
    '404 `ERR_LOAN_NOT_FOUND`. After the customer has given a national id, the error also contains the `step` of the payment and its `preApproveId`',
  ],
  22: [
    'in what form errorReturnUrl shows that `preApproveId` is undefined',
    'the literal `undefined` if there is no pre-approval',
  ],
  23: ['versioning', 'paths, headers and answers contain no API version'],
  24: [
    'whether the check character of `idNumber` is checked',
    'the check character is checked in bodies and in paths. Dots are refused',
  ],
  25: ['form of the widget token, except that it is signed', 'JWT, HS256, `exp` 10 minutes'],
  26: ['the answer when a customer is not approved', '422 `ERR_CUSTOMER_NOT_APPROVED`'],
  27: [
    'encoding of `eventTypes` in a form',
    'In a form, `eventTypes` may be repeated, have `[]` or an index, be joined by commas, or be JSON text. A JSON body is accepted too. A single-value field that is sent twice is refused.',
  ],
  28: [
    'whether a 429 from an endpoint other than the informe endpoint means that the service did nothing',
    '429 is answered before anything is done',
  ],
  29: [
    'status and code of the answer to a body that is not as expected (a missing or unknown field, an amount with other characters than digits, broken JSON)',
    '400 `ERR_INVALID_REQUEST` with the name of the field. For a body that is neither form nor JSON, 415 `ERR_UNSUPPORTED_MEDIA_TYPE`',
  ],
  30: [
    'whether a widget session needs an evaluation before it',
    'no. A session belongs to the evaluation of `preApproveId`, otherwise to the latest approved evaluation of the transaction. Without both, the page asks for the national id and evaluates the customer. The token is then refreshed, and its time starts again. A customer who leaves before that returns with `preApproveId=undefined`',
  ],
  31: [
    'when a widget session is not accepted, and what is in `widgetToken` then',
    'a session is not accepted if the transaction already has a loan. `widgetToken` is then null',
  ],
  32: [
    'whether a transaction can be evaluated more than once, and whether the chosen installment option can be reported more than once',
    'yes, any number of times. Only the latest evaluation and the latest reported option count. After the transaction got its loan, the answer is 409 `ERR_TRANSACTION_ALREADY_PAID`, because an account has at most one loan for an `externalTrxId`',
  ],
  33: [
    'the period of `interestRate`, how the installments are calculated from it, and which day `transferDate` is',
    '0.0189 a month. The installments are equal (annuity), except that the last one includes the rounding difference. `transferDate` is the day of the payment in Chile (America/Santiago). The installments are due monthly after this day',
  ],
  34: [
    'codes of a refused evaluation, selection or widget session',
    '422: `ERR_INVALID_ID_NUMBER`, `ERR_AMOUNT_OUT_OF_BOUNDS`, `ERR_AMOUNT_MISMATCH`, `ERR_ENTITY_NOT_FOUND`, `ERR_INVALID_EMAIL`, `ERR_TRANSACTION_MISMATCH`, `ERR_INSTALLMENT_OPTION_NOT_OFFERED`; 404 `ERR_PRE_APPROVAL_NOT_FOUND`',
  ],
  35: [
    'the answer to an inactive account on endpoints other than the informe endpoint',
    '403 `ERR_PARTNER_INACTIVE`, as on the informe endpoint',
  ],
  36: [
    'the answer to the registration of an eleventh destination (ten are allowed), the answer to an address that is not https, and whether an address may be registered twice',
    '422 `ERR_WEBHOOK_LIMIT_REACHED`, `ERR_WEBHOOK_URL_NOT_HTTPS`, and `ERR_WEBHOOK_URL_PRIVATE` for an address that no delivery could reach. An address may be registered twice, and each registration counts towards the limit',
  ],
  37: [
    'error code of the 403 when an account does not have the evaluation module, and error codes when an event or a filter does not exist',
    '403 `ERR_PARTNER_MODULE_REQUIRED`, with a message that names the evaluation module. 422 `ERR_INVALID_EVENT_TYPES` and 422 `ERR_INVALID_FILTERS`',
  ],
  38: [
    'error codes of the informe endpoint with the statuses 400, 401, 403 and 404',
    '400 `ERR_UNAUTHORIZED`, 401 `ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER`, 403 `ERR_PARTNER_INACTIVE`, and 404 `ERR_PRE_APPROVAL_NOT_FOUND`',
  ],
  39: [
    'whether the endpoints that read evaluations also return the evaluation of a payment, and whether this evaluation has a report',
    'yes, they return this evaluation, and it has a report. The contact fields of the evaluation are null',
  ],
  40: [
    'error codes for an object that does not exist, for a wrong method, for too many requests and for a temporary failure',
    '404 `ERR_WEBHOOK_NOT_FOUND`, `ERR_EVALUATION_NOT_FOUND`, `ERR_LEAD_NOT_FOUND`, `ERR_NOT_FOUND`; 405 `ERR_METHOD_NOT_ALLOWED`; 429 `ERR_RATE_LIMIT_EXCEEDED`; 503 `ERR_SERVICE_UNAVAILABLE`',
  ],
  41: ['the answer when a report link is opened with an API key', '400 `ERR_API_TOKEN_NOT_ACCEPTED`'],
  42: [
    'where the signed link of a report leads, how the storage at that address refuses a request, and whether it can send only a part of a report (a range request)',
    '`/_storage/informes/{preApproveId}.pdf` under the base address. Refusals are XML, as from S3: 400 `InvalidArgument`, 403 `AccessDenied` and `SignatureDoesNotMatch`, 404 `NoSuchKey`. The file is always sent whole',
  ],
  43: [
    'whether a transaction can also be verified by its `preApproveId`. The section on the payment page tells merchants to do so, but the endpoint has only `externalTrxId`',
    'a transaction can be verified by either id. An id that could be both is read as an `externalTrxId`',
  ],
  44: [
    'which field contains the list of destinations or leads, and which type their ids have',
    'the list is `data`. Ids are texts',
  ],
  45: ['content type of deliveries', '`application/json`'],
  46: [
    'the status of a success (the specification shows only 201 for the BNPL registration, 200 for the informe endpoint and 302 for a report link), and the status when an object does not exist (it shows only 404 for the informe endpoint)',
    '201 for both registrations, 302 for a report link, 200 for every other call, and 404 for an object that does not exist',
  ],
  47: ['which answers of a receiver mean that it received the delivery', 'any 2xx within the time-out'],
  48: ['content type of answers', '`application/json; charset=utf-8`, errors included'],
  49: ['type of `eventId`', 'a UUID, as text'],
  50: [
    'whether a loan can be cancelled, and how',
    'yes: `POST …/loan/cancel`, as banca.me publishes it, with an empty body. `refundAmount` in the answer is the sum of the paid installments. Refusals: 404 `ERR_LOAN_NOT_FOUND`, 409 `ERR_LOAN_ALREADY_CANCELLED`, and 422 `ERR_LOAN_CANCEL_PERIOD_OVER` more than 60 days (in Chile) after `transferDate`. The loan and its open installments then have the state `CANCELLED`',
  ],
  51: [
    'whether an account can have several entities, and which calls add, list and change them',
    'yes: `POST /partner/entity`, as banca.me publishes it, `GET /partner/entity` and `PATCH /partner/entity/{entityId}`, with bodies in JSON. An entity is answered with its `id`. A label or an `externalEntityId` that the account has already is refused with 428 `ERR_ENTITY_EXISTS`. The list begins with the account’s own entity, which cannot be changed (422 `ERR_ENTITY_OF_ACCOUNT`). An evaluation or a widget session for an inactive entity is refused with 422 `ERR_ENTITY_INACTIVE`. A session that was started before stays open, so its customer can still pay',
  ],
} as const satisfies Readonly<Record<number, readonly [notShown: string, sandbox: string]>>

export type GapNumber = keyof typeof NOT_SHOWN

interface Gap {
  number: GapNumber
  notShown: string
  /** The behaviour that was chosen for the sandbox. */
  sandbox: string
  /** Whether fields of a description (`FIELDS`) say all of that, so that the words are only for the documents. */
  inFields: boolean
}

const IN_FIELDS: readonly number[] = [1, 2, 3, 12, 13, 14, 17, 18, 21, 45]

/** The facts that the specification does not show, each with the sandbox's choice. */
export const GAPS: readonly Gap[] = Object.entries(NOT_SHOWN).map(([number, [notShown, sandbox]]) => ({
  number: Number(number) as GapNumber,
  notShown,
  sandbox,
  inFields: IN_FIELDS.includes(Number(number)),
}))
