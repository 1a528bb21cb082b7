import { commandLine } from '../../text/shell-word.ts'

/** @param end ` -p PROFILE`, or empty. @param trx the id of the transaction, or `TRX` if it is not known */
type HintOfCode = string | ((end: string, trx: string) => string)

const about = (command: string, trx: string, end: string) => commandLine(command, [trx], end.trim())
const seeCalls = 'See the calls of the service and their fields: bnpl contract openapi'
const seeEvents = 'See the events and the filters: bnpl webhooks subscribe --help'
const checkKey: HintOfCode = (end) => `Check the key of this profile: bnpl profiles show${end}`
const checkAmount: HintOfCode = (end, trx) =>
  `See the amount and the pre-approval of the evaluation: ${about('bnpl history show', trx, end)}`

interface CodeWords {
  meaning: string
  /** What a user of the command line can do about it. */
  hint: HintOfCode
}

/** The codes that the sandbox sends where the specification shows no code (the gaps). */
export const GAP_CODES: Readonly<Record<string, CodeWords>> = {
  ERR_AMOUNT_MISMATCH: {
    meaning: 'the amount is not the amount for which the transaction was evaluated',
    hint: checkAmount,
  },
  ERR_AMOUNT_OUT_OF_BOUNDS: {
    meaning: 'the amount is lower or higher than the service accepts',
    hint: 'Use an amount between the limits of the service. The message of the service may name the limits.',
  },
  ERR_API_TOKEN_NOT_ACCEPTED: {
    meaning: 'a report link was opened with an API key. The link needs no key, because it contains its own signature',
    hint: 'Open the link without an API key.',
  },
  ERR_CUSTOMER_NOT_APPROVED: {
    meaning: 'the customer was not approved',
    hint: 'Offer the customer another way to pay. In the sandbox, use a test customer who is approved: bnpl sandbox customers',
  },
  ERR_ENTITY_EXISTS: {
    meaning: 'it exists already',
    hint: (end) => `List the entities with: bnpl entities list${end}`,
  },
  ERR_ENTITY_INACTIVE: {
    meaning: 'the entity is inactive, so it cannot be used for a payment',
    hint: (end) => `Use another entity, or activate this one: bnpl entities set ENTITYID --active yes${end}`,
  },
  ERR_ENTITY_OF_ACCOUNT: {
    meaning: 'the entity is the one that the account has from its beginning, which cannot be changed',
    hint: (end) => `Add another entity with bnpl entities add${end}, and use that one.`,
  },
  ERR_ENTITY_NOT_FOUND: {
    meaning: 'the account has no entity with this entityId',
    hint: (end) => `Check the entity id of this profile: bnpl profiles show${end}`,
  },
  ERR_EVALUATION_NOT_FOUND: {
    meaning: 'no evaluation for this national id or lead, or the evaluation is not finished',
    hint: (end) => `See whether the lead exists: bnpl leads list${end}. Its evaluation may not be finished yet.`,
  },
  ERR_INSTALLMENT_OPTION_NOT_OFFERED: {
    meaning: 'this number of installments was not offered to the customer',
    hint: 'Use a number of installments that the evaluation offered. The message of the service may list these numbers.',
  },
  ERR_INVALID_EMAIL: {
    meaning: 'the e-mail address of the customer has a wrong form',
    hint: 'Correct the e-mail address of the customer.',
  },
  ERR_INVALID_EVENT_TYPES: { meaning: 'an event type does not exist, or none was given', hint: seeEvents },
  ERR_INVALID_FILTERS: {
    meaning: 'the filter does not exist, or does not belong to the given event types',
    hint: seeEvents,
  },
  ERR_INVALID_ID_NUMBER: {
    meaning: 'the national id must be a RUT such as 11222333-9, without dots and with the correct check character',
    hint: 'Correct the national id. Write it without dots, such as 11222333-9.',
  },
  ERR_INVALID_REQUEST: {
    meaning: 'a field is missing, unknown or has a wrong form, or the JSON is broken',
    hint: seeCalls,
  },
  ERR_LEAD_NOT_FOUND: {
    meaning: 'no lead with this id',
    hint: (end) => `List the leads with their ids: bnpl leads list${end}`,
  },
  ERR_LOAN_ALREADY_CANCELLED: {
    meaning: 'the loan of the transaction is already cancelled',
    hint: (end, trx) => `See the loan of the transaction: ${about('bnpl verify', trx, end)}`,
  },
  ERR_LOAN_CANCEL_PERIOD_OVER: {
    meaning: 'the loan was transferred more than 60 days ago, so it can no longer be cancelled with this call',
    hint: 'Ask the support of the service how to give the money back to the customer.',
  },
  ERR_LOAN_NOT_FOUND: {
    meaning: 'no loan for this transaction. The customer may not have paid yet',
    hint: (end, trx) => `Wait for the payment: ${about('bnpl verify', trx, ` --wait${end}`)}`,
  },
  ERR_METHOD_NOT_ALLOWED: { meaning: 'the address exists, but not with this method', hint: seeCalls },
  ERR_NOT_FOUND: { meaning: 'the service has no call at this address', hint: seeCalls },
  ERR_PARTNER_INACTIVE: {
    meaning: 'the account is inactive',
    hint: 'Ask the support of the service to activate your account.',
  },
  ERR_PARTNER_MODULE_REQUIRED: {
    meaning: 'the account does not have the evaluation module, which real-estate events need',
    hint: 'Ask the support of the service to enable the evaluation module for your account.',
  },
  ERR_PRE_APPROVAL_NOT_FOUND: {
    meaning: 'no pre-approval with this preApproveId',
    hint: (end, trx) => `Use the preApproveId of the evaluation: ${about('bnpl history show', trx, end)}`,
  },
  ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER: {
    meaning: 'the pre-approval belongs to another account',
    hint: 'Use the profile of the account that made this evaluation.',
  },
  ERR_RATE_LIMIT_EXCEEDED: {
    meaning: 'too many calls in a short time. The service did nothing',
    hint: 'Wait, and run the command again.',
  },
  ERR_SERVICE_UNAVAILABLE: { meaning: 'the service cannot answer for a while', hint: 'Run the command again later.' },
  ERR_TRANSACTION_ALREADY_PAID: {
    meaning: 'the transaction already has a loan',
    hint: (end, trx) =>
      `See the loan of the transaction: ${about('bnpl verify', trx, end)}. For a new purchase, use another transaction id.`,
  },
  ERR_TRANSACTION_MISMATCH: { meaning: 'the preApproveId belongs to another transaction', hint: checkAmount },
  ERR_UNAUTHORIZED: { meaning: 'the API key is missing, wrong, or belongs to the other environment', hint: checkKey },
  ERR_UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'the body is neither a form nor JSON',
    hint: 'Send the body as a form or as JSON.',
  },
  ERR_WEBHOOK_LIMIT_REACHED: {
    meaning: 'the account already has the 10 destinations that are allowed',
    hint: (end) => `Remove a destination: bnpl webhooks rm ID${end} (ids: bnpl webhooks list${end})`,
  },
  ERR_WEBHOOK_NOT_FOUND: {
    meaning: 'no destination with this id',
    hint: (end) => `List the ids with: bnpl webhooks list${end}`,
  },
  ERR_WEBHOOK_URL_NOT_HTTPS: {
    meaning: 'the address of the destination does not begin with https',
    hint: 'Use an address that begins with https://.',
  },
  ERR_WEBHOOK_URL_PRIVATE: {
    meaning: 'no delivery could reach the address of the destination, because it is private',
    hint: 'Use a public address. To receive deliveries of the sandbox on this machine, run: bnpl webhooks listen -p sandbox',
  },
}

/** The codes that banca.me publishes with a status and without a description. */
export const PUBLISHED_CODES: Readonly<Record<string, 400 | 422 | 503>> = {
  ERR_BNPL_PRODUCT_TYPE_NOT_ALLOWED: 400,
  ERR_BNPL_DATA_NOT_OK: 422,
  BNPL_FETCH_DATA_ERROR: 503,
}

const LIST_SNAPSHOTS = 'List the snapshots: bnpl sandbox snapshot list'
const NAME_THE_PROXY = 'Send the request to the address that bnpl proxy prints.'

/** The codes that only the sandbox’s own server, its controls and its window send. No service has them. */
const SANDBOX_OWN: Readonly<Record<string, CodeWords>> = {
  ERR_BAD_REQUEST: {
    meaning: 'the sandbox got a request without a path or a Host header, or with more than one Host header',
    hint: 'Send the request to the address that bnpl sandbox start prints.',
  },
  ERR_CONTROL_INPUT: {
    meaning: 'a control of the sandbox got a value that it does not accept',
    hint: 'Correct the value that the message names. If you called the control directly, run its command instead: bnpl sandbox --help',
  },
  ERR_CONTROL_TOKEN: {
    meaning: 'a control of the sandbox was called without its token',
    hint: 'Use the commands of bnpl sandbox, which send the token.',
  },
  ERR_FAULT_NOT_FOUND: {
    meaning: 'the sandbox has no active fault with this id',
    hint: 'List the faults: bnpl sandbox fault list',
  },
  ERR_FOREIGN_ORIGIN: {
    meaning: 'a web page of another site called the sandbox',
    hint: 'Call the service from your back end, not from a page.',
  },
  ERR_ID_NUMBER_MISMATCH: {
    meaning: 'the transaction was evaluated for another customer than the national id of the payment',
    hint: 'Leave out --rut, or use the national id of the evaluation.',
  },
  ERR_ID_NUMBER_NEEDED: {
    meaning: 'the transaction has no evaluation, so the payment page asks the customer for the national id',
    hint: 'Pay with the national id of a test customer: bnpl sandbox pay TRX --rut 11222333-9',
  },
  ERR_INSTALLMENT_NOT_FOUND: {
    meaning: 'the loan has fewer installments than the number of the installment that is paid',
    hint: 'See the installments of the loan: bnpl verify TRX -p sandbox',
  },
  ERR_MISDIRECTED_REQUEST: {
    meaning: 'the Host header of the request does not name this sandbox',
    hint: 'To add a name, start the sandbox with: bnpl sandbox start --allow-host NAME',
  },
  ERR_NOT_A_SNAPSHOT: { meaning: 'the file is not a snapshot of a sandbox', hint: LIST_SNAPSHOTS },
  ERR_NO_SUCH_ACTION: {
    meaning: 'the sandbox has no control with this name',
    hint: 'Run the command with the version of bnpl that started the sandbox.',
  },
  ERR_NO_SUCH_DELIVERY: {
    meaning: 'the sandbox has no delivery that it could send again',
    hint: 'List the deliveries: bnpl sandbox deliveries',
  },
  ERR_NO_SUCH_DESTINATION: {
    meaning: 'the destination of the delivery was deleted, so the delivery cannot be sent again',
    hint: 'Register the destination again: bnpl webhooks add URL -p sandbox',
  },
  ERR_PARTNER_HAS_NO_LEADS: {
    meaning: 'the account is a shop, and only sellers of real estate have leads',
    hint: 'Name a real-estate account. To see the name and the kind of each account: bnpl sandbox status --keys',
  },
  ERR_PARTNER_NOT_FOUND: {
    meaning: 'the sandbox has no account with this name',
    hint: 'See the names of the accounts: bnpl sandbox status --keys',
  },
  ERR_PAYLOAD_TOO_LARGE: {
    meaning: 'the body of the request is larger than the sandbox accepts',
    hint: 'Send a smaller body.',
  },
  ERR_SANDBOX: {
    meaning: 'the sandbox itself failed',
    hint: 'Read what bnpl sandbox start printed on stderr, and report it.',
  },
  ERR_SANDBOX_DATABASE: {
    meaning: 'the sandbox cannot use its database now',
    hint: 'Read what bnpl sandbox start printed on stderr, if the message names no reason.',
  },
  ERR_SNAPSHOT_NOT_FOUND: { meaning: 'the sandbox has no snapshot with this name', hint: LIST_SNAPSHOTS },
  ERR_SNAPSHOT_NOT_READ: {
    meaning: 'the file of the snapshot could not be read',
    hint: 'Check that the path is a file, and check its owner and its mode. If the disk is full, make room on it.',
  },
  ERR_SNAPSHOT_NOT_WRITTEN: {
    meaning: 'the snapshot could not be written',
    hint: 'Name another file, or check the space on the disk and the owner of the folder.',
  },
  ERR_SNAPSHOT_OF_ANOTHER_SANDBOX: {
    meaning: 'the snapshot has the accounts of another sandbox, so it cannot be compared with this one',
    hint: LIST_SNAPSHOTS,
  },
  ERR_TRANSACTION_NOT_FOUND: {
    meaning: 'no transaction with this id can be paid in the sandbox yet',
    hint: 'Evaluate the customer first: bnpl evaluate --trx ID --rut 11222333-9 --amount 250000 -p sandbox',
  },
  ERR_WINDOW_CLOSED: {
    meaning: 'this browser may not use the sandbox’s window yet',
    hint: 'Open the window with: bnpl sandbox open',
  },
}

/** The codes with which `bnpl proxy` refuses a request that it does not pass on. */
const PROXY_OWN: Readonly<Record<string, CodeWords>> = {
  ERR_PROXY_HOST: {
    meaning: 'the request has no Host header, more than one, or one that does not name the proxy',
    hint: NAME_THE_PROXY,
  },
  ERR_PROXY_OFF_CONTRACT: {
    meaning: 'with --strict, the proxy did not send a request that differs from the contract',
    hint: 'Read `problems` in the answer, which lists the differences.',
  },
  ERR_PROXY_ORIGIN: {
    meaning: 'with --with-key, the proxy refused a request from a page in a browser',
    hint: 'Send the request from your back end.',
  },
  ERR_PROXY_TARGET: {
    meaning: 'the target of the request is not a path below the address of the service',
    hint: NAME_THE_PROXY,
  },
  ERR_PROXY_MALFORMED: {
    meaning: 'the request is not valid HTTP/1.1',
    hint: 'Use an HTTP library to make the request. Its target must not contain a space, and its body must have one length, or chunks.',
  },
}

/** The codes of answers that come from the sandbox’s own server or from `bnpl proxy`, never from a service. */
export const OWN_CODES: Readonly<Record<string, CodeWords>> = { ...SANDBOX_OWN, ...PROXY_OWN }

/**
 * Returns what to do about an answer with this code; undefined if the code is not in the tables.
 * @param end ` -p PROFILE`, which the commands in the hint repeat, or empty
 * @param trx the id of the transaction, or `TRX` if it is not known
 */
export function hintOfAnswerCode(code: string, end: string, trx: string): string | undefined {
  const { hint } =
    (Object.hasOwn(GAP_CODES, code) ? GAP_CODES[code] : Object.hasOwn(OWN_CODES, code) ? OWN_CODES[code] : undefined) ??
    {}
  return typeof hint === 'function' ? hint(end, trx) : hint
}
