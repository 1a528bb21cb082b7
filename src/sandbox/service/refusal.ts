import type { WireResponse } from '../../contract/wire.ts'
import { BnplError } from '../../errors.ts'
import { StoreRefusal, type StoreRefusalReason } from '../store/store.ts'

/** An error that refuses a request. The answer contains this status, code and message (for its form see gap 15). */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  /** Further fields of the error in the answer. */
  readonly details: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Record<string, string> = {},
    details: Record<string, string> = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.headers = headers
    this.details = details
  }
}

export const INVALID_REQUEST = 'ERR_INVALID_REQUEST'

/** Returns the refusal of a body that the contract does not allow (gap 29). */
export const malformed = (message: string): Refusal => new Refusal(400, INVALID_REQUEST, message)

/** Returns an answer with a JSON body. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  }
}

/** Returns the answer that tells the caller about a refusal. */
export function refusalAnswer(refusal: Refusal): WireResponse {
  const { status, code, message, headers, details } = refusal
  return json(status, { error: { code, message, ...details } }, headers)
}

/** The error codes of a database that refuses writes for a while. Reads may still work. */
const NO_WRITES: readonly (string | undefined)[] = ['STATE_FULL', 'STATE_BUSY', 'STATE_READ_ONLY']

/** The error codes of a database that cannot be used until somebody repairs it. */
const NO_USE: readonly (string | undefined)[] = ['STATE_DAMAGED', 'STATE_LOST', 'STATE_NEWER']

/** Returns whether the database refuses writes for a while. @param error the result of the store's `failure` */
export function refusesWrites(error: unknown): error is BnplError {
  return error instanceof BnplError && NO_WRITES.includes(error.code)
}

/**
 * Returns whether the database caused an error. It then refuses writes, or cannot be used.
 * @param error the result of the store's `failure`
 */
export function isDatabaseFailure(error: unknown): error is BnplError {
  if (!(error instanceof BnplError)) return false
  return [...NO_WRITES, ...NO_USE].includes(error.code)
}

/**
 * Returns the 503 refusal of a request that arrives while the database does not work. The message does not name the database, because only
 * the operator of the sandbox may know its name.
 */
export function databaseRefusal(error: BnplError): Refusal {
  const words =
    error.code === 'STATE_NEWER'
      ? 'a newer bnpl has changed the sandbox’s data; start this sandbox again with that version'
      : error.code === 'STATE_LOST'
        ? 'the file with the sandbox’s data was removed or renamed; start this sandbox again'
        : 'the sandbox cannot use its database now; the reason is in the output of the sandbox'
  return new Refusal(503, 'ERR_SANDBOX_DATABASE', words, { 'retry-after': '1' })
}

const OF_THE_STORE: Readonly<Record<StoreRefusalReason, readonly [status: number, code: string]>> = {
  'snapshot-not-written': [422, 'ERR_SNAPSHOT_NOT_WRITTEN'],
  'snapshot-not-found': [404, 'ERR_SNAPSHOT_NOT_FOUND'],
  'snapshot-not-read': [422, 'ERR_SNAPSHOT_NOT_READ'],
  'not-a-snapshot': [422, 'ERR_NOT_A_SNAPSHOT'],
}

/**
 * Returns the refusal that tells a caller about a failure. Throws the error of a database that does not work, because
 * the operator of the sandbox must see it.
 * @param error the result of the store's `failure`
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof StoreRefusal) return new Refusal(...OF_THE_STORE[error.reason], error.message)
  if (error instanceof BnplError) throw error
  const why = error instanceof Error ? error.message : String(error)
  return new Refusal(500, 'ERR_SANDBOX', `the sandbox itself failed: ${why}`)
}
