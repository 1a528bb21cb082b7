import type { Gap } from './gaps-picked.ts'
import { PICKED } from './gaps-picked.ts'

/** The facts that the specification does not show, each with the sandbox's choice. */
export const GAPS = [
  {
    number: 1,
    inFields: true,
    notShown: 'field of the evaluation response that contains the pre-approval id',
    sandbox: '`data.preApproveId`',
  },
  {
    number: 2,
    inFields: true,
    notShown: 'loan-request steps other than AUTHORIZATION',
    sandbox:
      '`READY_FOR_LOAN`, `PAYMENT_SUBSCRIPTION`, `AUTHORIZATION` and `ARCHIVED_FAIL`, as the service banca.me publishes them. A selection is answered with `AUTHORIZATION`',
  },
  {
    number: 3,
    inFields: true,
    notShown: 'states of loans and installments other than ACTIVE',
    sandbox:
      '`ACTIVE`. A paid installment is `PAID`, and so is a loan whose installments are all paid. For a cancelled loan see gap 50',
  },
  {
    number: 4,
    notShown: 'where the publicKey comes from',
    sandbox: 'printed by the sandbox next to the API key',
  },
  {
    number: 5,
    notShown: 'installation and usage of the JavaScript widget, and its callbacks other than `onSuccess`',
    sandbox:
      '`widget.js` has the interface that banca.me publishes (`BancameWidget.create`), and one of its own (`BnplWidget.mount`) with `onSuccess` and the callbacks `onReject`, `onCancel`, `onExpire` and `onError`',
  },
  {
    number: 6,
    notShown:
      'fields of a destination other than `id`, `url` and `verificationScheme`, and the body of the 201 answer to a registration',
    sandbox:
      '`id`, `url`, `verificationScheme` (`HMAC` or `token`, as the specification writes them), `eventTypes`, `filters`, `projectId` and `createdAt`. Only the 201 answer also contains `secret`',
  },
  {
    number: 7,
    notShown: 'HMAC algorithm, encoding and secret',
    sandbox:
      'SHA-256 in lower-case hex over the raw body, with a different secret for each destination. The body is JSON with unusual spacing, so a body that was parsed and written again has a different signature',
  },
  {
    number: 8,
    notShown: 'how the secret of the token scheme is issued',
    sandbox: 'the secret is random. Only the 201 answer to the registration contains it',
  },
  {
    number: 9,
    notShown: 'shape of `filters`, and name of the project field',
    sandbox:
      '`filters[outcome]=approved` or `filters[outcome]=rejected` for pre_approve, and the project field `projectId`',
  },
  {
    number: 10,
    notShown: 'encoding of the body of a registration, and of the body of a verification (an empty object)',
    sandbox:
      'accepts form and JSON. A missing or empty body counts as an empty object. So do `{}`, `[]` and `null`, with any content type',
  },
  {
    number: 11,
    notShown: 'payload fields of the three events',
    sandbox:
      '`loan_approved` contains the terms and the ids of the loan. `new_lead` has 11 fields, and `pre_approve` has 51 fields. All field names except `idPreAprobacion` and `urlInforme` are invented',
  },
  {
    number: 12,
    inFields: true,
    notShown: 'retry counts and time-outs for loan_approved and pre_approve',
    sandbox:
      'the time-out is 5 s. There are three retries, after waiting times of 5 s, 30 s and 5 minutes (each ±20 %). You can set other waiting times',
  },
  {
    number: 13,
    inFields: true,
    notShown: 'path of the call that opens a report from its link',
    sandbox: '`/partner/informe/{signature}`',
  },
  {
    number: 14,
    inFields: true,
    notShown:
      'paths of three calls (evaluation of a lead, list of leads, details of a lead), and the paging and fields of the list of leads',
    sandbox: '`/partner/pre-approve/lead/{leadId}`, `/partner/leads`, `/partner/leads/{leadId}`',
  },
  {
    number: 15,
    notShown: 'shape of error bodies, and the error codes of most endpoints',
    sandbox: '`{"error":{"code":"ERR_…","message":"…"}}`',
  },
  {
    number: 16,
    notShown: 'status for a missing or wrong key on endpoints other than the informe endpoint',
    sandbox:
      '401 `ERR_UNAUTHORIZED`, or 400 on the informe endpoint, as specified. A beta key in production and a production key in beta are refused in the same way. Each path of the production environment begins with `/production`',
  },
  {
    number: 17,
    inFields: true,
    notShown: 'rate limits, `Retry-After`',
    sandbox: '1,000 calls at once, then 250 a second, for each account and endpoint. `Retry-After` is in seconds',
  },
  {
    number: 18,
    inFields: true,
    notShown: 'bounds of amount and of installments',
    sandbox: 'amounts from 1,000 to 50,000,000, and options of 3, 6, 12 and 24 installments',
  },
  {
    number: 19,
    notShown: 'currency',
    sandbox: 'calls and answers name no currency. The payment page and the reports write amounts with `$`',
  },
  {
    number: 20,
    notShown: 'response shape of delete',
    sandbox: '200 with `data: {}`',
  },
  {
    number: 21,
    inFields: true,
    notShown: 'status of the answer when a transaction without a loan is verified',
    sandbox:
      '404 `ERR_LOAN_NOT_FOUND`. After the customer has given a national id, the error also contains the `step` of the payment and its `preApproveId`',
  },
  {
    number: 22,
    notShown: 'in what form errorReturnUrl shows that `preApproveId` is undefined',
    sandbox: 'the literal `undefined` if there is no pre-approval',
  },
  {
    number: 23,
    notShown: 'versioning',
    sandbox: 'paths, headers and answers contain no API version',
  },
  {
    number: 24,
    notShown: 'whether the check character of `idNumber` is checked',
    sandbox: 'the check character is checked in bodies and in paths. Dots are refused',
  },
  {
    number: 25,
    notShown: 'form of the widget token, except that it is signed',
    sandbox: 'JWT, HS256, `exp` 10 minutes',
  },
  {
    number: 26,
    notShown: 'the answer when a customer is not approved',
    sandbox: '422 `ERR_CUSTOMER_NOT_APPROVED`',
  },
  {
    number: 27,
    notShown: 'encoding of `eventTypes` in a form',
    sandbox:
      'In a form, `eventTypes` may be repeated, have `[]` or an index, be joined by commas, or be JSON text. A JSON body is accepted too. A single-value field that is sent twice is refused.',
  },
  {
    number: 28,
    notShown: 'whether a 429 from an endpoint other than the informe endpoint means that the service did nothing',
    sandbox: '429 is answered before anything is done',
  },
  ...PICKED,
] as const satisfies readonly Gap[]

export type GapNumber = (typeof GAPS)[number]['number']
