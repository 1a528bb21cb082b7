/** The kinds of errors, each with its exit code. Scripts rely on these codes. */
export const EXIT_CODES = {
  bug: 1,
  usage: 2,
  config: 3,
  auth: 4,
  refused: 5,
  'not-found': 6,
  'rate-limited': 7,
  service: 8,
  network: 9,
  'check-failed': 10,
  partial: 11,
  'outcome-unknown': 12,
  output: 13,
} as const

export type ErrorKind = keyof typeof EXIT_CODES

export type CallOutcome = 'not_sent' | 'rejected' | 'unknown'

/** What an error reports about the request that failed, without secrets (`url` is masked). */
export interface Exchange {
  method: string
  url: string
  status?: number
  requestId?: string
  attempts: number
  sent: boolean
  outcome: CallOutcome
}

export interface ErrorDetails {
  /** A machine-readable cause: the service's `ERR_…`, or a code of bnpl such as `INVALID_RUT`. */
  code?: string | undefined
  hint?: string | undefined
  /**
   * A message that repeats the typed value. It is shown only on the terminal where the value was typed, never
   * written to a pipe, a file or JSON.
   */
  atTerminal?: string | undefined
  /** The hint as data, for programs that show their own text instead of `hint`. */
  advice?: Advice | undefined
  exchange?: Exchange | undefined
  /** The pause that the service asked for, in milliseconds. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/**
 * Every failure that the program foresees. `message` says in one line what happened, and `hint` what to do next.
 * Neither contains a secret.
 */
export class BnplError extends Error {
  readonly kind: ErrorKind
  readonly code: string | undefined
  readonly hint: string | undefined
  readonly atTerminal: string | undefined
  readonly advice: Advice | undefined
  readonly exchange: Exchange | undefined
  readonly retryAfterMs: number | undefined

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'BnplError'
    this.kind = kind
    this.code = details.code
    this.hint = details.hint
    this.atTerminal = details.atTerminal
    this.advice = details.advice
    this.exchange = details.exchange
    this.retryAfterMs = details.retryAfterMs
  }

  /**
   * Returns the same error with another hint.
   * @param advice the hint as data, with which other programs can write their own text
   */
  withHint(hint: string, advice?: Advice): BnplError {
    return new BnplError(this.kind, this.message, { ...this, hint, advice, cause: this.cause })
  }
}

/**
 * A signal ended the work. The exit code is 130 for SIGINT, 143 for SIGTERM and 129 for SIGHUP. The hint is set if a call may have been
 * carried out.
 */
export class Interrupted extends Error {
  readonly exitCode: number
  readonly hint: string | undefined
  readonly advice: Advice | undefined

  constructor(exitCode = 130, note = 'interrupted', { hint, advice }: Pick<ErrorDetails, 'hint' | 'advice'> = {}) {
    super(note)
    this.name = 'Interrupted'
    this.exitCode = exitCode
    this.hint = hint
    this.advice = advice
  }
}

/** Returns the error of a command that a signal ended. */
export function interruptedBy(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Interrupted {
  if (name === 'SIGINT') return new Interrupted(130)
  if (name === 'SIGTERM') return new Interrupted(143)
  return new Interrupted(129, HANG_UP, {
    hint: 'To keep a command running after that, start it with nohup or as a service.',
  })
}

const HANG_UP = 'bnpl was ended, because its terminal or session has ended (SIGHUP)'

/**
 * A command that bnpl ran for the user failed, or could not be started. bnpl ends with `exitCode`. `message` is empty if the command
 * printed its own error.
 */
export class ChildEnded extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message = '') {
    super(message)
    this.name = 'ChildEnded'
    this.exitCode = exitCode
  }
}

/** The program that reads stdout has closed the pipe (`| head`), which is not an error. */
export class ClosedPipe extends Error {
  readonly exitCode = 141
}

/** Ends a dry run before its requests are sent. `lines` are the equivalent curl commands. */
export class DryRun extends Error {
  readonly lines: readonly string[]

  constructor(...lines: string[]) {
    super('dry run')
    this.lines = lines
  }
}

/** Several failures of one command. The first decides the exit code, and the others are reported after it. */
export class Failures extends Error {
  readonly first: unknown
  readonly others: readonly unknown[]

  constructor(first: unknown, others: readonly unknown[]) {
    super('several failures', { cause: first })
    this.name = 'Failures'
    this.first = first
    this.others = others
  }
}

/** Returns one error for all failures of a command. The first failure decides the exit code. */
export function failureOf([first, ...others]: readonly unknown[]): unknown {
  return others.length === 0 ? first : new Failures(first, others)
}

/** The event loop became empty before the command ended: the command waited for an event that could not happen. */
export class Unsettled extends Error {
  readonly whereabouts: Whereabouts

  constructor(whereabouts: Whereabouts) {
    super('the command ended without a result')
    this.name = 'Unsettled'
    this.whereabouts = whereabouts
  }
}

export interface Whereabouts {
  /** The command as the user types it, such as `webhooks listen`; empty until it is known. */
  command: string
  /** The step that the command waited for most recently, such as `reading stdin`; empty before the first step. */
  step: string
}

/** Returns a usage error, for example about a wrong option or a file that already exists. */
export function usage(message: string, hint?: string, code = 'USAGE'): BnplError {
  return new BnplError('usage', message, { code, hint })
}

/** Returns a configuration error, for example about a missing profile or unreadable settings. */
export function config(message: string, hint?: string, code = 'CONFIG'): BnplError {
  return new BnplError('config', message, { code, hint })
}

/** Returns the exit code for anything that was thrown. An unforeseen error is a fault in bnpl (1). */
export function exitCodeOf(error: unknown): number {
  if (error instanceof BnplError) return EXIT_CODES[error.kind]
  if (error instanceof Failures) return exitCodeOf(error.first)
  if (error instanceof Interrupted || error instanceof ClosedPipe || error instanceof ChildEnded) return error.exitCode
  return EXIT_CODES.bug
}

/**
 * Returns a text that is safe to show, for anything that was thrown. The messages of unforeseen errors may contain a
 * key or personal data, so only the class and the place in the program are returned for them.
 */
export function tellable(error: unknown): string {
  return error instanceof BnplError ? error.message : `a fault in bnpl itself, ${bugPlace(error)}`
}

/**
 * Returns the class and the place of a fault in bnpl, without its message: `TypeError main.cjs:7:9`. If the place is
 * not known, returns the class and the system's code: `Error EACCES`.
 */
export function bugPlace(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const name = /^\w{1,40}$/.test(error.name) ? error.name : 'Error'
  const place = /\(?([^\s()]+:\d+:\d+)\)?/.exec(error.stack?.split('\n    at ')[1] ?? '')?.[1]
  return `${name} ${place ?? systemCode(error)}`.trimEnd()
}

function systemCode(error: Error): string {
  const code = codeOf(error) ?? ''
  return /^E[A-Z0-9]{1,20}$/.test(code) ? code : ''
}

/** Returns the code that the system or a library gave to an error, such as `ENOENT`; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const SIGNAL_NAMES: Readonly<Record<number, string>> = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' }

export type ErrorJson = { kind: string; code: string | null; message: string; [field: string]: unknown }

/** Returns an error as `{"error": …}`, the last stderr line with `--json`. An interruption has its signal as code. */
export function errorAsJson(error: unknown): { error: ErrorJson } {
  if (error instanceof Failures) return errorAsJson(error.first)
  if (error instanceof Interrupted) {
    const [code = null, hint = null] = [SIGNAL_NAMES[error.exitCode], error.hint]
    return { error: { kind: 'interrupted', code, status: null, message: error.message, hint } }
  }
  if (!(error instanceof BnplError)) {
    const message = 'an unexpected fault in bnpl itself'
    return { error: { kind: 'bug', code: 'BUG', status: null, message, hint: null } }
  }
  const { exchange } = error
  return {
    error: {
      kind: error.kind,
      code: error.code ?? null,
      status: exchange?.status ?? null,
      message: error.message,
      hint: error.hint ?? null,
      ...(exchange?.requestId === undefined ? {} : { requestId: exchange.requestId }),
      ...(exchange === undefined
        ? {}
        : { attempts: exchange.attempts, sent: exchange.sent, outcome: exchange.outcome }),
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    },
  }
}

/** Advice about a failure, as data. `contract/failures/advice.ts` has its texts. */
export type Advice =
  /** The key was not accepted, or has no permission for this call. */
  | { readonly id: 'check-key' }
  /** The request was not accepted. The specification does not say whether the key may be the reason. */
  | { readonly id: 'check-request-and-key' }
  /** The key was accepted, but the requested object belongs to another account. */
  | { readonly id: 'use-owner-account' }
  /** No loan was found, perhaps because the customer is still on the payment page. */
  | { readonly id: 'wait-for-payment' }
  /** A BNPL account tried to register a destination with the call that is only for real-estate accounts. */
  | { readonly id: 'register-as-bnpl' }
  | { readonly id: 'see-destinations' }
  /** The outcome of the call is unknown. The service may have made an evaluation. */
  | { readonly id: 'look-for-evaluation' }
  /** The outcome of the call is unknown. The service may have stored the option that the customer chose. */
  | { readonly id: 'verify-after-payment' }
  /** The outcome of the call is unknown. The service may have created a widget token. */
  | { readonly id: 'wait-for-expiry' }
  /** The outcome of the call is unknown. The service may have registered a destination. */
  | { readonly id: 'look-for-destination' }
  /** The outcome of the call is unknown. The service may have added the entity. */
  | { readonly id: 'look-for-entity' }
  /** The outcome of the call is unknown. The service may have cancelled the loan. */
  | { readonly id: 'verify-loan' }
  | { readonly id: 'set-key' }
  /** The specification does not show the path of the call, and the setting for this path is empty. `path` is an example of a value. */
  | { readonly id: 'set-path'; readonly setting: string; readonly method: string; readonly path: string }
  /** The setting for the path of the call is not valid. `path` is an example of a valid path. */
  | { readonly id: 'correct-path'; readonly setting: string; readonly path: string }
  | { readonly id: 'check-address' }
  | { readonly id: 'check-name-service' }
  /** The server at the address is not the service. */
  | { readonly id: 'check-base-address' }
  | { readonly id: 'check-certificate'; readonly problem: CertificateProblem }
  /** The proxy cannot be reached, or answered with an error status. `proxy` is its host and port, if known. */
  | { readonly id: 'check-proxy'; readonly proxy?: string; readonly status?: number }
  /** The service did nothing, or repeating the call is harmless. */
  | { readonly id: 'repeat' }
  /** The time-out was too short. The service did nothing, or repeating the call is harmless. */
  | { readonly id: 'allow-more-time' }
  /** The service asks for a pause. `ms` is its length, if the service gave it. */
  | { readonly id: 'wait'; readonly ms?: number }
  /** The answer is not as specified. It is safe to repeat the call in order to see the raw answer. */
  | { readonly id: 'see-raw-answer'; readonly method: string; readonly path: string }

/** Why a certificate was not accepted. `authorities-unread` means that the file that NODE_EXTRA_CA_CERTS names cannot be read. */
export type CertificateProblem =
  | 'expired'
  | 'not-yet-valid'
  | 'other-name'
  | 'unknown-authority'
  | 'self-signed'
  | 'no-tls'
  | 'authorities-unread'
  | 'unknown'

export type AdviceOf<Id extends Advice['id']> = Extract<Advice, { id: Id }>
