interface OwnCode {
  meaning: string
  hint: string
}

const LIST_SNAPSHOTS = 'List the snapshots: bnpl sandbox snapshot list'
const NAME_THE_PROXY = 'Send the request to the address that bnpl proxy prints.'

/** The codes that only the sandbox’s own server, its controls and its window send. No service has them. */
const SANDBOX_OWN: Readonly<Record<string, OwnCode>> = {
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
    hint: 'Evaluate the customer first: bnpl evaluate --trx ID --rut 11111111-1 --amount 250000 -p sandbox',
  },
  ERR_WINDOW_CLOSED: {
    meaning: 'this browser may not use the sandbox’s window yet',
    hint: 'Open the window with: bnpl sandbox open',
  },
}

/** The codes with which `bnpl proxy` refuses a request that it does not pass on. */
const PROXY_OWN: Readonly<Record<string, OwnCode>> = {
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
export const OWN_CODES: readonly (OwnCode & { code: string })[] = Object.entries({ ...SANDBOX_OWN, ...PROXY_OWN }).map(
  ([code, words]) => ({ code, ...words }),
)
