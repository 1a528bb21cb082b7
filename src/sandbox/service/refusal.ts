import type { WireResponse } from '../../contract/wire.ts'

/** The service's own no: a status, a code and a sentence, thrown by a handler and answered as gap 15 has it. */
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

/** A body that is not as the contract has it (gap 29). */
export const malformed = (message: string): Refusal => new Refusal(400, 'ERR_INVALID_REQUEST', message)

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  }
}

export function refusalAnswer(refusal: Refusal): WireResponse {
  return json(refusal.status, { error: { code: refusal.code, message: refusal.message } }, refusal.headers)
}
