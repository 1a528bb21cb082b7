import { type ErrorKind, EXIT_CODES } from '../../errors.ts'

interface Words {
  meaning: string
  hint: string
}

export const KIND_WORDS: Record<ErrorKind, Words> = {
  bug: {
    meaning: 'a fault in bnpl itself, not in your input or the service',
    hint: 'Remove keys and ids from the line that the failed command printed, and send the line to the maintainers.',
  },
  usage: {
    meaning: 'a wrong option or value (nothing was sent), or you answered no to a question (nothing was changed)',
    hint: 'Read the message, which says what is wrong. --help shows the options.',
  },
  config: {
    meaning:
      'a profile that is missing or incomplete, settings or state that cannot be read, a port that is taken, or a key that was stored for another address of the service',
    hint: 'Run bnpl doctor and bnpl profiles show.',
  },
  auth: {
    meaning: 'the service refused the API key',
    hint: 'Check the key and the environment (beta or production): bnpl profiles show',
  },
  refused: {
    meaning:
      'the service understood the request and refused it (4xx), for example because the pre-approval belongs to another account',
    hint: 'Run bnpl explain CODE with the service’s code, which is in the message.',
  },
  'not-found': {
    meaning: 'the requested object does not exist',
    hint: 'Check the id and the profile. If you asked for a loan, perhaps the customer has not paid yet.',
  },
  'rate-limited': {
    meaning: 'too many requests (429), even after retries. The service did not carry out the call',
    hint: 'Wait and run the command again. With a file, --rate keeps the run below the limit.',
  },
  service: {
    meaning:
      'the service failed (5xx), or its answer does not follow the specification, for example because it is a redirect or not a PDF',
    hint: 'Run the command again later; bnpl smoke shows whether the service answers as specified.',
  },
  network: {
    meaning: 'no connection, a TLS failure, a time-out or a broken connection. It is safe to repeat the command',
    hint: 'Run the command again. If that fails too, run bnpl doctor.',
  },
  'check-failed': {
    meaning: 'a signature, an --expect option, a smoke check or a receiver test failed, or no check ran',
    hint: 'Read the output, which says what differs, or why no check ran.',
  },
  partial: {
    meaning: 'a run over a file or over several ids ended, and some of the rows or ids failed',
    hint: 'Run the failed rows or ids again. A run over a file writes its failed rows to a separate file.',
  },
  'outcome-unknown': {
    meaning:
      'a call that is not safe to repeat was sent, and no clear answer arrived, so the service may have carried it out',
    hint: 'Do not run the command again yet. The hint of the error says how to find out what happened.',
  },
  output: {
    meaning:
      'the result could not be written (a full disk, a closed device); what the command already did is not undone',
    hint: 'Free some space. Check what the command has already done before you run it again.',
  },
}

const MAYBE_DONE = 'Finished work is kept. A call that was not answered may have been carried out'
const AFTER_SIGNAL =
  'Read the error. If it says that the call may have been carried out, do not run the command again yet, and do what its hint says. Otherwise run the command again. A run over a file continues with --resume.'

const OTHER_EXITS: Readonly<Record<number, Words & { kind: string }>> = {
  0: { kind: 'success', meaning: 'the command succeeded, and its result is completely written', hint: 'Do nothing.' },
  126: {
    kind: 'not-runnable',
    meaning: '`bnpl sandbox run` could not run the command after --, for example because its file is not executable',
    hint: 'Read the error, which names the reason. Check the permissions of the file.',
  },
  127: {
    kind: 'no-such-command',
    meaning: '`bnpl sandbox run` did not find the command after --',
    hint: 'Check the name of the command, and PATH.',
  },
  129: {
    kind: 'SIGHUP',
    meaning: `the terminal was closed. ${MAYBE_DONE}`,
    hint: `${AFTER_SIGNAL} If you cannot see the error any more, find out what happened before you run the command again.`,
  },
  130: {
    kind: 'SIGINT',
    meaning: `you pressed Ctrl-C. ${MAYBE_DONE}`,
    hint: AFTER_SIGNAL,
  },
  141: {
    kind: 'SIGPIPE',
    meaning: 'the program that read the output closed the pipe (| head)',
    hint: 'Do nothing: this is not an error.',
  },
  143: {
    kind: 'SIGTERM',
    meaning: `another process asked the program to end. ${MAYBE_DONE}`,
    hint: AFTER_SIGNAL,
  },
}

/** Returns how a command can end: the kinds of errors and the other exit codes, in numerical order. */
export const exits = (): (Words & { exit: number; kind: string })[] =>
  [
    ...Object.entries(EXIT_CODES).map(([kind, exit]) => ({ ...KIND_WORDS[kind as ErrorKind], exit, kind })),
    ...Object.entries(OTHER_EXITS).map(([code, words]) => ({ ...words, exit: Number(code) })),
  ].toSorted((a, b) => a.exit - b.exit)

const words = (text: string): string[] => text.trim().split(/\s+/)

/** The codes of bnpl’s own errors, by the kind of the error. `test/commands/error-codes.test.ts` compares them with the sources. */
export const ERROR_CODES: Readonly<Record<ErrorKind, readonly string[]>> = {
  bug: words('BUG'),
  usage: words(`
    ACCEPT_FILE AMBIGUOUS AMBIGUOUS_COLUMN AMBIGUOUS_ID BAD_DATABASE BAD_LINK BAD_NAME BAD_PATH BAD_ROWS BAD_VALUE COMMAND_FAILS DECLINED DUPLICATE_COLUMN
    EARLIER_RUN EXISTS FILE_TOO_LARGE FILE_UNREADABLE HMAC_ALGORITHM HMAC_ENCODING INPUT_CHANGED INPUT_TOO_LARGE INPUT_UNREADABLE
    INVALID_AMOUNT INVALID_BYTES INVALID_COLUMN INVALID_COUNT INVALID_DESTINATION INVALID_DURATION INVALID_EMAIL INVALID_ENCODING INVALID_ENDPOINT INVALID_EVENT INVALID_FILE
    INVALID_FILTERS INVALID_FORWARD_TO INVALID_HOST INVALID_IDENTIFIER INVALID_INSTALLMENTS INVALID_PART INVALID_PATH INVALID_PORT
    INVALID_PUBLIC_KEY INVALID_PUBLIC_URL INVALID_REQUEST INVALID_RETURN_URL INVALID_RUT INVALID_SCHEME INVALID_SEED INVALID_SET
    INVALID_SNAPSHOT_NAME INVALID_STATE INVALID_STATUS INVALID_TOKEN KEY_IS_PUBLIC MANY_SECRETS MISSING_COLUMN MISSING_EMAIL MISSING_RETURN_URL NEEDS_YES
    NOT_A_DIRECTORY NOT_A_RECORDING NOT_IN_A_UNIT NO_SECRET_FILE NOT_IN_HISTORY NOT_NDJSON NOT_OF_THE_SERVICE NO_BASE_URL NO_DATABASE NO_DRY_RUN NO_FILE_NAME NO_FORMAT NO_FORWARD_TO
    NO_INPUT NO_METRICS_PORT NO_PRE_APPROVAL NO_PROFILE NO_ROWS NO_SANDBOX NO_SECRET NO_SUCH_SETTING NO_TABLE ORDERS_OF_EARLIER_RUN
    ORDERS_UNREADABLE OUTPUT_EXISTS PASSWORD_IN_ADDRESS PRODUCTION_NEEDS_YES PROFILE_EXISTS PUBLIC_URL_SHARED REPORT_PLACE
    SANDBOX_BUILT_IN SANDBOX_CLOSED SECRET_ARGUMENT SECRET_FILE SETTINGS_CHANGED TARGET_EXISTS TARGET_IS_DIRECTORY TARGET_IS_LINK
    TARGET_IS_SPECIAL TARGET_NAME TOKEN_EXPIRED TOO_MANY_COLUMNS TTY UNKNOWN_FIELD USAGE`),
  config: words(`
    BAD_ADDRESS BAD_BODY_ENCODING BAD_DATABASE BAD_HOST BAD_KEY BAD_PATH BAD_PROXY BAD_PUBLIC_KEY BAD_SECRET BAD_SETTING BAD_TOKEN CONFIG
    DATABASE_DENIED DATABASE_ENCODING DATABASE_LOGIN DATABASE_POOLER DATABASE_READ_ONLY DATABASE_UNUSABLE DEBUG_TRACES DISK
    EVENTS_OF_A_SERVICE EVENTS_OF_THE_SANDBOX FILE_NOT_PRIVATE FOLDER_NOT_PRIVATE FOREIGN_OWNER HMAC_ALGORITHM HMAC_ENCODING
    INPUT_CHANGED KEYRING KEY_NOT_FOR_ADDRESS LISTENER_RUNNING LOCKED
    LOCK_LOST LOCK_UNUSABLE NOT_A_FILE NOT_A_FOLDER NOT_OURS NO_BASE_URL NO_BROWSER NO_ENTITY_ID NO_FOLDER NO_HOME NO_KEY NO_PAYMENT_URL
    NO_PROFILE NO_PUBLIC_KEY NO_SANDBOX NO_SELF_TEST NO_SUCH_PROFILE NO_TRANSACTION NO_WEBHOOK_SECRET NOT_OF_THE_SERVICE OLD_NODE OUTPUT_LOCKED OWNER_UNUSABLE
    PASSWORD_IN_ADDRESS PATH_NOT_SET PORT_REFUSED PORT_TAKEN PROFILES_DAMAGED PROFILES_NEWER READY_FILE READY_FILE_FOREIGN
    RESERVE_UNUSABLE RUN_LOCKED SANDBOX_DATA SANDBOX_DATA_FOREIGN SANDBOX_DATA_NEWER SANDBOX_NOT_SERVED SANDBOX_RUNNING SECRET_FILE
    SECRET_ENCODING SECRET_SLOW SECRET_TOO_LARGE SELF_TEST SPOOL_FAILED STATE_BUSY STATE_DAMAGED STATE_DIR STATE_FOREIGN STATE_LOST STATE_NEWER STATE_READ_ONLY
    STATE_UNUSABLE SYMLINK HARD_LINK TLS_UNCHECKED`),
  auth: [],
  refused: words(
    'ALREADY_CANCELLED NO_OPTIONS PAYMENT_NOT_AS_WANTED PAYMENT_REJECTED TOKEN_EXPIRED WIDGET_NOT_ACCEPTED',
  ),
  'not-found': words('EMPTY_DATA NOT_REMEMBERED NO_LOAN NO_MARK NO_SUCH_DESTINATION NO_SUCH_EVENT UNKNOWN_CODE'),
  'rate-limited': [],
  service: words(
    'BAD_LINK NOT_A_PDF NOT_CANCELLED NOT_A_REDIRECT NO_WIDGET_TOKEN TOO_LARGE_FOR_PIPE UNEXPECTED_ANSWER',
  ),
  network: words(`
    CUT DATABASE_GARBLED DATABASE_LOST DATABASE_TLS DATABASE_UNREACHABLE NOT_CANCELLED NOT_DELIVERED NOT_TAKEN SANDBOX_LOST`),
  'check-failed': words(`
    CHECK_FAILED EXPECTATION_FAILED INVARIANT_BROKE NOTHING_TO_CHECK NOT_CONFIRMED NOT_TAKEN SIGNATURE_INVALID`),
  partial: words('NOT_TAKEN PARTIAL ROWS_FAILED SOME_FAILED'),
  'outcome-unknown': words('ABORTED CUT_OFF ROWS_UNKNOWN UNEXPECTED_ANSWER'),
  output: words(`
    BINARY_BODY DISK_FAILED FILE_CLOSED FILE_LOST INBOX_LOST LEDGER_FULL LEDGER_LOST LOCK_FULL OUTPUT_FAILED OUTPUT_PLACE REPORT_NOT_WRITTEN
    REPORT_PLACE SPOOL_FAILED STATE_FULL`),
}
