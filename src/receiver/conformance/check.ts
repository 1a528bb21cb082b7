import { type EventType, integrationOf, RECEIVER_ANSWER_BYTES } from '../../contract/integrations.ts'
import { type Transport, WireFailure, type WireRequest } from '../../contract/wire.ts'
import { maskTarget } from '../../domain/addresses.ts'
import type { Clock } from '../../domain/clock.ts'
import { shortened, visible } from '../../text/visible.ts'
import { type DeliverySigner, headerSent } from '../verification/verifier.ts'

/** An event that the service would send (specification, "Webhook events"). */
export interface OutgoingEvent {
  event: EventType
  eventId: string
  data: unknown
}

export type Reply = ({ status: number; fault: null } | { status: null; fault: WireFailure['kind'] }) & {
  /** Whether any byte of the delivery was sent. If so, the receiver may have accepted it. */
  sent: boolean
  ms: number
  /** The target of a redirect, as the receiver wrote it. */
  location?: string | undefined
}

/** Returns the body of a delivery: the event as JSON in UTF-8. */
export const testEnvelope = ({ eventId, data }: OutgoingEvent): Uint8Array =>
  Buffer.from(JSON.stringify({ eventId, data }))

/** Returns which header of a delivery proves who sent it, and how, in words without the secret. */
export function proofWords({ scheme, signature }: Omit<DeliverySigner, 'secret'>): string {
  const { algorithm, encoding, sent } = signature
  const header = `the header ${headerSent({ scheme, signature })}`
  if (scheme === 'token') return `${header} (scheme token)`
  return sent?.timed
    ? `${header} (scheme hmac: ${algorithm}, ${encoding}, with a timestamp)`
    : `${header} (scheme hmac: ${algorithm}, ${encoding})`
}

/** Returns the HTTP request of a delivery, with the header that proves who sent it. */
export function deliveryRequest(
  url: string,
  body: Uint8Array,
  proof: Record<string, string>,
  timeoutMs: number,
): WireRequest {
  const headers = { 'content-type': 'application/json', 'user-agent': 'bnpl-webhooks', ...proof }
  return { method: 'POST', url, headers, body, timeoutMs, maxBytes: RECEIVER_ANSWER_BYTES, freshSocket: true }
}

/**
 * Sends a delivery. Returns the reply, or the fault of a failed attempt.
 * @throws the signal's reason when the request's signal is aborted
 */
export async function send(request: WireRequest, transport: Transport, clock: Clock): Promise<Reply> {
  const started = clock.monotonic()
  try {
    const { status, headers } = await transport(request)
    const reply = { status, fault: null, sent: true, ms: clock.monotonic() - started }
    return headers.location === undefined ? reply : { ...reply, location: headers.location }
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    if (error.kind === 'aborted') throw request.signal?.reason ?? error
    // A receiver whose answer is too large has answered, so use its status.
    const { status, kind, sent } = error
    const ms = clock.monotonic() - started
    return status === undefined ? { status: null, fault: kind, sent, ms } : { status, fault: null, sent, ms }
  }
}

/** What usually causes each status, and what to change in the receiver or before it. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Answer 2xx to every delivery whose signature or token is valid. Check whether the receiver refuses a field or the form of the body.',
  401: 'Check that the receiver has the same secret (or token), and that it verifies the raw bytes.',
  403: 'Check what stands before the receiver: a firewall, a login page or a CSRF protection may refuse a POST without a cookie. If the receiver itself answers 403, check its secret (or token).',
  404: 'Check the path of the address, and that the receiver has a route for it.',
  405: 'Let the route accept POST. It may accept only GET.',
  411: 'Let the receiver, or the server before it, accept a body with Content-Length.',
  413: 'Allow bodies of up to 1 MiB, also in the server before the receiver (nginx: client_max_body_size).',
  415: 'Accept the Content-Type application/json, and read the body as raw bytes.',
  419: 'Exclude the route from the CSRF protection (Laravel: validateCsrfTokens(except: […]), or the file routes/api.php). Deliveries have no CSRF token.',
  422: 'Answer 2xx to every delivery whose signature or token is valid. The receiver refuses a field of the body (Laravel and FastAPI answer 422 if a validation fails).',
  429: 'Exclude the address from the rate limit. The service may send many deliveries at once.',
  500: 'See the log of the receiver: it failed while it processed the delivery.',
  501: 'Let the route accept POST.',
  502: 'Check that the receiver runs: the server before it got no valid answer.',
  503: 'Check that the receiver runs: the server before it has no receiver to pass the delivery to, or the receiver is overloaded.',
  504: 'Answer before you process the event: the receiver did not answer the server before it in time.',
}

/** Returns what to do about an answer that does not accept a delivery; undefined if the status does not say it. */
export function statusAdvice(status: number, location?: string): string | undefined {
  if (status >= 300 && status < 400 && status !== 304)
    return `Register the final address${shownTarget(location)}, because the service does not follow redirects.`
  return ADVICE[status] ?? (status >= 500 ? ADVICE[500] : undefined)
}

/** The target comes from the receiver, so it is cleaned. */
const shownTarget = (location: string | undefined): string =>
  location === undefined || location === ''
    ? ''
    : ` (the answer redirects to ${shortened(visible(maskTarget(location)), 200)})`

export interface ConformanceFinding {
  name: string
  status: 'ok' | 'warn' | 'fail' | 'skipped'
  detail: string
  hint?: string
  ms: number
}

export interface ConformanceOptions {
  url: string
  signer: DeliverySigner
  transport: Transport
  clock: Clock
  /** In milliseconds. The service's own limit is used if it is shorter. */
  timeoutMs: number
  signal: AbortSignal
  sample: (event: EventType) => Record<string, unknown>
  newEventId: () => string
  onCheck?: (name: string) => void
}

interface Given {
  body?: Uint8Array
  proof?: Record<string, string>
}

type LimitedReply = Reply & { limitMs: number }

export type Send = (given?: Given) => Promise<LimitedReply>

export interface ConformanceCheck {
  name: string
  run(scene: {
    options: ConformanceOptions
    send: Send
    body: () => Uint8Array
  }): Promise<Omit<ConformanceFinding, 'name' | 'ms'>>
}

/** Returns the types of the events that a destination with this scheme receives. */
export const eventsOf = ({ scheme }: DeliverySigner): readonly [EventType, ...EventType[]] =>
  integrationOf(scheme).events

export const text = (value: unknown) => Buffer.from(JSON.stringify(value))
export const okFinding = (detail: string) => ({ status: 'ok' as const, detail })
export const failFinding = (detail: string, hint?: string) => ({
  status: 'fail' as const,
  detail,
  ...(hint ? { hint } : {}),
})
export const skippedFinding = (detail: string) => ({ status: 'skipped' as const, detail })
export const accepted = ({ status }: Reply) => status !== null && status >= 200 && status < 300

/** Returns a reply in words. */
export function saying({ status, fault, ms, limitMs }: LimitedReply): string {
  if (status !== null) return `answered ${status} in ${Math.round(ms)} ms`
  return fault === 'timeout' ? `no answer within ${limitMs} ms` : `no answer (${fault})`
}

const TOO_LATE = 'Store the event, answer 200, and process it afterwards.'

/**
 * Returns the finding about the reply to a delivery that the receiver must accept.
 * @param hint the hint for a failure, except when the reply is too late
 */
export function mustAccept(reply: LimitedReply, hint?: string) {
  if (accepted(reply)) return okFinding(saying(reply))
  if (reply.fault === 'timeout') return failFinding(saying(reply), TOO_LATE)
  return failFinding(saying(reply), hint ?? adviceFor(reply))
}

/** Returns what to do about the status of an answer that does not accept a delivery. */
export const adviceFor = ({ status, location }: LimitedReply): string | undefined =>
  status === null ? undefined : statusAdvice(status, location)

/** Returns the finding about the reply to a delivery that the receiver must refuse with a 4xx. A 5xx is a failure too. */
export function mustRefuse(reply: LimitedReply, hint: string) {
  if (accepted(reply)) return failFinding(`${saying(reply)}, so anybody could send events`, hint)
  if (reply.status === null) return failFinding(saying(reply), 'Refuse an invalid delivery with 401 at once.')
  if (reply.status >= 500)
    return failFinding(
      `${saying(reply)}, which is an error and not a refusal`,
      'Refuse every delivery whose signature is missing, malformed or wrong, for example with 401. Your handler must not fail on such a delivery.',
    )
  return reply.status < 400 ? failFinding(saying(reply), hint) : okFinding(saying(reply))
}
