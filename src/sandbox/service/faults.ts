import { endpointOf } from '../../contract/endpoints.ts'
import { WireFault, type WireResponse } from '../../contract/wire.ts'
import { FAULT_CODE } from '../../domain/sandbox-faults.ts'
import { type CallPlace, DOWNLOAD, type Harm } from '../store/harm.ts'
import { alteredAnswer } from './altered-answer.ts'
import type { Waiting } from './clock.ts'
import { Refusal, refusalAnswer } from './refusal.ts'

/**
 * Applies the part of a fault that happens before the request is processed. Throws `WireFault` when the request is lost. If the caller
 * stops waiting during a delay, the request is still processed.
 * @returns the answer of the fault; undefined when the request must be processed
 */
export async function harmRequest(harm: Harm, place: CallPlace, waiting: Waiting): Promise<WireResponse | undefined> {
  if (harm.kind === 'refused') throw new WireFault('refused', false, 'a simulated fault refused the connection')
  await waiting.wait(harm.delayMs)
  if (harm.status !== null) return faultAnswer(harm, harm.status, place)
  if (harm.cut && harm.before) throw lost()
  return undefined
}

/** Applies a fault to the answer of a processed request. Returns the changed answer, or the `WireFault` that replaces it. */
export function harmAnswer(harm: Harm, answer: WireResponse): WireResponse | WireFault {
  if (harm.cut) return lost()
  const altered = harm.kind === null ? answer : alteredAnswer(harm.kind, answer)
  return harm.truncate === null ? altered : new CutAnswer(altered, harm.truncate)
}

/**
 * An answer during which the connection breaks. A client in this process receives this `WireFault`. A server sends the first bytes of the
 * answer and then closes the connection.
 */
export class CutAnswer extends WireFault {
  readonly response: WireResponse
  readonly bytes: number

  /** @param most at most this many bytes of the body are sent, and never its last byte */
  constructor(response: WireResponse, most: number) {
    const bytes = Math.min(most, Math.max(0, response.body.length - 1))
    super('reset', true, `the connection broke after ${bytes} bytes of the answer`)
    this.response = response
    this.bytes = bytes
  }
}

const lost = () => new WireFault('reset', true, 'a simulated fault closed the connection')

/** The error codes of faults, by status. The specification names no code for these statuses (gaps 16 and 40). */
const CODES: Readonly<Record<number, string>> = {
  401: 'ERR_UNAUTHORIZED',
  429: 'ERR_RATE_LIMIT_EXCEEDED',
  503: 'ERR_SERVICE_UNAVAILABLE',
}

/** The error codes of faults at the informe endpoint, by status (gap 38). */
const CODES_OF_INFORME: Readonly<Record<number, string>> = {
  400: 'ERR_UNAUTHORIZED',
  401: 'ERR_PRE_APPROVAL_OF_ANOTHER_PARTNER',
  403: 'ERR_PARTNER_INACTIVE',
  404: 'ERR_PRE_APPROVAL_NOT_FOUND',
}

function faultAnswer({ code, retryAfter }: Harm, status: number, place: CallPlace): WireResponse {
  const meaning = place === DOWNLOAD ? undefined : endpointOf(place).statuses[status]
  const usual = (place === 'getInforme' ? CODES_OF_INFORME[status] : undefined) ?? CODES[status] ?? FAULT_CODE
  const named = code ?? Object.keys(meaning?.codes ?? {})[0] ?? usual
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': String(retryAfter) }
  return refusalAnswer(new Refusal(status, named, meaning?.meaning ?? 'the sandbox simulates a fault', headers))
}
