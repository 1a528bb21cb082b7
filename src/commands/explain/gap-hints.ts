import { commandLine } from '../../text/shell-word.ts'

/** @param end ` -p PROFILE`, or empty. @param trx the id of the transaction, or `TRX` if it is not known */
type HintOfCode = (end: string, trx: string) => string

const fixed = (hint: string) => () => hint
const about = (command: string, trx: string, end: string) => commandLine(command, [trx], end.trim())
const seeCalls = fixed('See the calls of the service and their fields: bnpl contract openapi')
const seeEvents = fixed('See the events and the filters: bnpl webhooks subscribe --help')
const checkKey: HintOfCode = (end) => `Check the key of this profile: bnpl profiles show${end}`
const checkAmount: HintOfCode = (end, trx) =>
  `See the amount and the pre-approval of the evaluation: ${about('bnpl history show', trx, end)}`

/** What to do about each code of `GAP_CODES`, for errors that have no hint of their own. */
export const GAP_HINTS: Readonly<Record<string, HintOfCode>> = {
  ERR_AMOUNT_MISMATCH: checkAmount,
  ERR_AMOUNT_OUT_OF_BOUNDS: fixed(
    'Use an amount between the limits of the service. The message of the service may name the limits.',
  ),
  ERR_API_TOKEN_NOT_ACCEPTED: fixed('Open the link without an API key.'),
  ERR_CUSTOMER_NOT_APPROVED: fixed(
    'Offer the customer another way to pay. In the sandbox, use a test customer who is approved: bnpl sandbox customers',
  ),
  ERR_ENTITY_NOT_FOUND: (end) => `Check the entity id of this profile: bnpl profiles show${end}`,
  ERR_EVALUATION_NOT_FOUND: (end) =>
    `See whether the lead exists: bnpl leads list${end}. Its evaluation may not be finished yet.`,
  ERR_INSTALLMENT_OPTION_NOT_OFFERED: fixed(
    'Use a number of installments that the evaluation offered. The message of the service may list these numbers.',
  ),
  ERR_INVALID_EMAIL: fixed('Correct the e-mail address of the customer.'),
  ERR_INVALID_EVENT_TYPES: seeEvents,
  ERR_INVALID_FILTERS: seeEvents,
  ERR_INVALID_ID_NUMBER: fixed('Correct the national id. Write it without dots, such as 11111111-1.'),
  ERR_INVALID_REQUEST: seeCalls,
  ERR_LEAD_NOT_FOUND: (end) => `List the leads with their ids: bnpl leads list${end}`,
  ERR_LOAN_NOT_FOUND: (end, trx) => `Wait for the payment: ${about('bnpl verify', trx, ` --wait${end}`)}`,
  ERR_METHOD_NOT_ALLOWED: seeCalls,
  ERR_NOT_FOUND: seeCalls,
  ERR_PARTNER_INACTIVE: fixed('Ask the support of the service to activate your account.'),
  ERR_PARTNER_MODULE_REQUIRED: fixed(
    'Ask the support of the service to enable the evaluation module for your account.',
  ),
  ERR_PRE_APPROVAL_NOT_FOUND: (end, trx) =>
    `Use the preApproveId of the evaluation: ${about('bnpl history show', trx, end)}`,
  ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER: fixed('Use the profile of the account that made this evaluation.'),
  ERR_RATE_LIMIT_EXCEEDED: fixed('Wait, and run the command again.'),
  ERR_SERVICE_UNAVAILABLE: fixed('Run the command again later.'),
  ERR_TRANSACTION_ALREADY_PAID: (end, trx) =>
    `See the loan of the transaction: ${about('bnpl verify', trx, end)}. For a new purchase, use another transaction id.`,
  ERR_TRANSACTION_MISMATCH: checkAmount,
  ERR_UNAUTHORIZED: checkKey,
  ERR_UNSUPPORTED_MEDIA_TYPE: fixed('Send the body as a form or as JSON.'),
  ERR_WEBHOOK_LIMIT_REACHED: (end) => `Remove a destination: bnpl webhooks rm ID${end} (ids: bnpl webhooks list${end})`,
  ERR_WEBHOOK_NOT_FOUND: (end) => `List the ids with: bnpl webhooks list${end}`,
  ERR_WEBHOOK_URL_NOT_HTTPS: fixed('Use an address that begins with https://.'),
  ERR_WEBHOOK_URL_PRIVATE: fixed(
    'Use a public address. To receive deliveries of the sandbox on this machine, run: bnpl webhooks listen -p sandbox',
  ),
}
