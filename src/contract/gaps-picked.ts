export interface Gap {
  number: number
  notShown: string
  /** The behaviour that was chosen for the sandbox. */
  sandbox: string
  /** Whether fields of a description (`FIELDS`) say all of that, so that the words are only for the documents. */
  inFields?: boolean
}

export const PICKED = [
  {
    number: 29,
    notShown:
      'status and code of the answer to a body that is not as expected (a missing or unknown field, an amount with other characters than digits, broken JSON)',
    sandbox:
      '400 `ERR_INVALID_REQUEST` with the name of the field. For a body that is neither form nor JSON, 415 `ERR_UNSUPPORTED_MEDIA_TYPE`',
  },
  {
    number: 30,
    notShown: 'whether a widget session needs an evaluation before it',
    sandbox:
      'no. A session belongs to the evaluation of `preApproveId`, otherwise to the latest approved evaluation of the transaction. Without both, the page asks for the national id and evaluates the customer. The token is then refreshed, and its time starts again. A customer who leaves before that returns with `preApproveId=undefined`',
  },
  {
    number: 31,
    notShown: 'when a widget session is not accepted, and what is in `widgetToken` then',
    sandbox: 'a session is not accepted if the transaction already has a loan. `widgetToken` is then null',
  },
  {
    number: 32,
    notShown:
      'whether a transaction can be evaluated more than once, and whether the chosen installment option can be reported more than once',
    sandbox:
      'yes, any number of times. Only the latest evaluation and the latest reported option count. After the transaction got its loan, the answer is 409 `ERR_TRANSACTION_ALREADY_PAID`, because an account has at most one loan for an `externalTrxId`',
  },
  {
    number: 33,
    notShown:
      'the period of `interestRate`, how the installments are calculated from it, and which day `transferDate` is',
    sandbox:
      '0.0189 a month. The installments are equal (annuity), except that the last one includes the rounding difference. `transferDate` is the day of the payment in Chile (America/Santiago). The installments are due monthly after this day',
  },
  {
    number: 34,
    notShown: 'codes of a refused evaluation, selection or widget session',
    sandbox:
      '422: `ERR_INVALID_ID_NUMBER`, `ERR_AMOUNT_OUT_OF_BOUNDS`, `ERR_AMOUNT_MISMATCH`, `ERR_ENTITY_NOT_FOUND`, `ERR_INVALID_EMAIL`, `ERR_TRANSACTION_MISMATCH`, `ERR_INSTALLMENT_OPTION_NOT_OFFERED`; 404 `ERR_PRE_APPROVAL_NOT_FOUND`',
  },
  {
    number: 35,
    notShown: 'the answer to an inactive account on endpoints other than the informe endpoint',
    sandbox: '403 `ERR_PARTNER_INACTIVE`, as on the informe endpoint',
  },
  {
    number: 36,
    notShown:
      'the answer to the registration of an eleventh destination (ten are allowed), the answer to an address that is not https, and whether an address may be registered twice',
    sandbox:
      '422 `ERR_WEBHOOK_LIMIT_REACHED`, `ERR_WEBHOOK_URL_NOT_HTTPS`, and `ERR_WEBHOOK_URL_PRIVATE` for an address that no delivery could reach. An address may be registered twice, and each registration counts towards the limit',
  },
  {
    number: 37,
    notShown:
      'error code of the 403 when an account does not have the evaluation module, and error codes when an event or a filter does not exist',
    sandbox:
      '403 `ERR_PARTNER_MODULE_REQUIRED`, with a message that names the evaluation module. 422 `ERR_INVALID_EVENT_TYPES` and 422 `ERR_INVALID_FILTERS`',
  },
  {
    number: 38,
    notShown: 'error codes of the informe endpoint with the statuses 400, 401, 403 and 404',
    sandbox:
      '400 `ERR_UNAUTHORIZED`, 401 `ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER`, 403 `ERR_PARTNER_INACTIVE`, and 404 `ERR_PRE_APPROVAL_NOT_FOUND`',
  },
  {
    number: 39,
    notShown:
      'whether the endpoints that read evaluations also return the evaluation of a payment, and whether this evaluation has a report',
    sandbox: 'yes, they return this evaluation, and it has a report. The contact fields of the evaluation are null',
  },
  {
    number: 40,
    notShown:
      'error codes for an object that does not exist, for a wrong method, for too many requests and for a temporary failure',
    sandbox:
      '404 `ERR_WEBHOOK_NOT_FOUND`, `ERR_EVALUATION_NOT_FOUND`, `ERR_LEAD_NOT_FOUND`, `ERR_NOT_FOUND`; 405 `ERR_METHOD_NOT_ALLOWED`; 429 `ERR_RATE_LIMIT_EXCEEDED`; 503 `ERR_SERVICE_UNAVAILABLE`',
  },
  {
    number: 41,
    notShown: 'the answer when a report link is opened with an API key',
    sandbox: '400 `ERR_API_TOKEN_NOT_ACCEPTED`',
  },
  {
    number: 42,
    notShown:
      'where the signed link of a report leads, how the storage at that address refuses a request, and whether it can send only a part of a report (a range request)',
    sandbox:
      '`/_storage/informes/{preApproveId}.pdf` under the base address. Refusals are XML, as from S3: 400 `InvalidArgument`, 403 `AccessDenied` and `SignatureDoesNotMatch`, 404 `NoSuchKey`. The file is always sent whole',
  },
  {
    number: 43,
    notShown:
      'whether a transaction can also be verified by its `preApproveId`. The section on the payment page tells merchants to do so, but the endpoint has only `externalTrxId`',
    sandbox: 'a transaction can be verified by either id. An id that could be both is read as an `externalTrxId`',
  },
  {
    number: 44,
    notShown: 'which field contains the list of destinations or leads, and which type their ids have',
    sandbox: 'the list is `data`. Ids are texts',
  },
  {
    number: 45,
    inFields: true,
    notShown: 'content type of deliveries',
    sandbox: '`application/json`',
  },
  {
    number: 46,
    notShown:
      'the status of a success (the specification shows only 201 for the BNPL registration, 200 for the informe endpoint and 302 for a report link), and the status when an object does not exist (it shows only 404 for the informe endpoint)',
    sandbox:
      '201 for both registrations, 302 for a report link, 200 for every other call, and 404 for an object that does not exist',
  },
  {
    number: 47,
    notShown: 'which answers of a receiver mean that it received the delivery',
    sandbox: 'any 2xx within the time-out',
  },
  {
    number: 48,
    notShown: 'content type of answers',
    sandbox: '`application/json; charset=utf-8`, errors included',
  },
  {
    number: 49,
    notShown: 'type of `eventId`',
    sandbox: 'a UUID, as text',
  },
  {
    number: 50,
    notShown: 'whether a loan can be cancelled, and how',
    sandbox:
      'yes: `POST …/loan/cancel`, as banca.me publishes it, with an empty body. `refundAmount` in the answer is the sum of the paid installments. Refusals: 404 `ERR_LOAN_NOT_FOUND`, 409 `ERR_LOAN_ALREADY_CANCELLED`, and 422 `ERR_LOAN_CANCEL_PERIOD_OVER` more than 60 days (in UTC) after `transferDate`. The loan and its open installments then have the state `CANCELLED`',
  },
  {
    number: 51,
    notShown: 'whether an account can have several entities, and which calls add, list and change them',
    sandbox:
      'yes: `POST /partner/entity`, as banca.me publishes it, `GET /partner/entity` and `PATCH /partner/entity/{entityId}`, with bodies in JSON. An entity is answered with its `id`. A label or an `externalEntityId` that the account has already is refused with 428 `ERR_ENTITY_EXISTS`. The list begins with the account’s own entity, which cannot be changed (422 `ERR_ENTITY_OF_ACCOUNT`). An evaluation or a widget session for an inactive entity is refused with 422 `ERR_ENTITY_INACTIVE`. A session that was started before stays open, so its customer can still pay',
  },
] as const satisfies readonly Gap[]
