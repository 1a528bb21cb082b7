import { type EndpointName, endpointOf } from '../../contract/endpoints.ts'
import { type Transport, WireFault, type WireRequest, type WireResponse } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import { CutAnswer } from './cut-answer.ts'
import { delay } from './delay.ts'
import { Refusal, refusalAnswer } from './refusal.ts'

/** What a fault meets besides the endpoints by name: the download behind a report link, and every endpoint. */
export const DOWNLOAD = 'download'
export const EVERY = 'any'
export type FaultPlace = EndpointName | typeof DOWNLOAD

/** What goes wrong with a call. What is null (or false, or 0) does not happen. */
export interface Harm {
  /** Time, in ms, before anything else happens. */
  delayMs: number
  /** Answered instead of doing the work. */
  status: number | null
  /** The `ERR_…` of that answer. */
  code: string | null
  /** Seconds in `Retry-After`. */
  retryAfter: number | null
  /** The connection is cut without an answer. */
  cut: boolean
  /** With `cut`: the call is lost before the service did its work, instead of its answer after. */
  before: boolean
  /** The connection is cut after this many bytes of the answer's body. */
  truncate: number | null
}

/**
 * Answers a call as its fault has it. Work that was done stays done: a lost answer is what makes an outcome unknown.
 * Throws `WireFault` where no whole answer leaves.
 * @param work what answers without a fault
 */
export async function inject(
  harm: Harm,
  place: FaultPlace,
  request: WireRequest,
  sleep: Clock['sleep'],
  work: () => Promise<WireResponse>,
): ReturnType<Transport> {
  if (harm.delayMs > 0) await delay(sleep, harm.delayMs, request)
  if (harm.status !== null) return truncated(harm, faultAnswer(harm, harm.status, place))
  if (harm.cut && harm.before) throw lost()
  const answer = await work()
  if (harm.cut) throw lost()
  return truncated(harm, answer)
}

const lost = () => new WireFault('reset', true, 'the sandbox cut the connection, as it was told to')

function truncated({ truncate }: Harm, answer: WireResponse): WireResponse {
  if (truncate === null) return answer
  throw new CutAnswer(answer, Math.min(truncate, Math.max(0, answer.body.length - 1)))
}

function faultAnswer({ code, retryAfter }: Harm, status: number, place: FaultPlace): WireResponse {
  const meaning = place === DOWNLOAD ? undefined : endpointOf(place).statuses[status]
  const named = code ?? Object.keys(meaning?.codes ?? {})[0] ?? 'ERR_SANDBOX_FAULT'
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': String(retryAfter) }
  return refusalAnswer(new Refusal(status, named, meaning?.meaning ?? 'a fault that was armed here', headers))
}
