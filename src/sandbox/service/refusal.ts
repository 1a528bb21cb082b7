import type { WireResponse } from '../../contract/wire.ts'

/** An error that refuses a request. The answer contains this status, code and message (for its form see gap 15). */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.headers = headers
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
  return json(refusal.status, { error: { code: refusal.code, message: refusal.message } }, refusal.headers)
}
