import type { WireResponse } from '../../contract/wire.ts'

/** The service refuses a request, with a status, a code and a sentence. Handlers throw it. The answer has the form of gap 15. */
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

/** Refuses a body that the contract does not allow (gap 29). */
export const malformed = (message: string): Refusal => new Refusal(400, 'ERR_INVALID_REQUEST', message)

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  }
}

/** The answer of a refusal. */
export function refusalAnswer(refusal: Refusal): WireResponse {
  return json(refusal.status, { error: { code: refusal.code, message: refusal.message } }, refusal.headers)
}
