import { SCHEME_HEADERS } from '../../contract/integrations.ts'
import { type Transport, WireFailure } from '../../contract/wire.ts'
import { type Clock, parseRetryAfter } from '../../domain/clock.ts'
import { isConfirmed } from '../../domain/envelope.ts'
import type { StoredEvent } from '../inbox.ts'

/**
 * The outcome of an attempt. `away`: the handler cannot be reached or is overloaded, so the attempt is not counted. `refused`: any other
 * failure, such as a refusal or a timeout; the attempt is counted.
 */
type ForwardOutcome = 'delivered' | 'away' | 'refused'

export interface ForwardAttempt {
  outcome: ForwardOutcome
  status: number | null
  error: string | null
  /** The first bytes of the answer's body; null if it is empty or there is no answer. */
  answer: string | null
  /** Whether any byte of the request left this machine. */
  sent: boolean
  /** The wait that the answer asked for (`Retry-After`), in ms; 0 if it did not ask. */
  retryAfterMs: number
  ms: number
}

export interface ForwardTarget {
  url: string
  transport: Transport
  clock: Clock
  timeoutMs: number
  userAgent: string
}

const KEPT_BYTES = 2048

const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Returns the Content-Type to forward. An event with another Content-Type than JSON is forwarded as JSON, because its body was read as JSON
 * (gap 45).
 */
function typeOf({ contentType, odd }: StoredEvent): string {
  if (contentType !== null && (odd !== null || /json/i.test(contentType))) return contentType
  return 'application/json'
}

/**
 * Sends an event to the handler. The body is unchanged and has its HMAC signature, so that a handler can verify it as in production. A
 * static token is a secret and is not sent.
 * @param attempt counted from 1
 */
export async function forwardEvent(
  event: StoredEvent,
  attempt: number,
  target: ForwardTarget,
  signal?: AbortSignal,
): Promise<ForwardAttempt> {
  const { url, transport, clock, timeoutMs, userAgent } = target
  const headers: Record<string, string> = {
    'content-type': typeOf(event),
    'user-agent': userAgent,
    'bnpl-event-id': asHeader(event.eventId ?? `quarantined-${event.seq}`),
    'bnpl-event': event.event ?? 'unknown',
    'bnpl-attempt': String(attempt),
    // An event with a static token can be forged, so only an answer of the service confirms such an event.
    'bnpl-confirmed': String(isConfirmed(event)),
  }
  if (event.signature !== null) {
    headers[SCHEME_HEADERS.hmac[0]] = event.signature
    // A handler for a service that signs a timestamp may read the header under either name.
    if (event.signature.startsWith('t=')) headers[SCHEME_HEADERS.hmac[1]] = event.signature
  }
  const started = clock.monotonic()
  const took = () => clock.monotonic() - started
  const answered = (status: number, body?: Uint8Array, retryAfter?: string): ForwardAttempt => ({
    outcome: outcomeOf(status),
    status,
    error: refusalOf(status),
    answer: beginningOf(body),
    sent: true,
    retryAfterMs: parseRetryAfter(retryAfter, clock.now()) ?? 0,
    ms: took(),
  })
  const unanswered = (outcome: 'away' | 'refused', error: string, sent: boolean): ForwardAttempt => ({
    outcome,
    status: null,
    error,
    answer: null,
    sent,
    retryAfterMs: 0,
    ms: took(),
  })
  const unsendable = Object.keys(headers).find((name) => !SENDABLE.test(headers[name] ?? ''))
  if (unsendable !== undefined)
    return unanswered(
      'refused',
      `the event’s ${unsendable} contains a character that is not allowed in a header`,
      false,
    )
  try {
    const { body } = event
    // Each event has its own connection, because a handler may close a kept one at the moment when the next event is sent.
    const request = { method: 'POST', url, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES, freshSocket: true }
    const answer = await transport(signal ? { ...request, signal } : request)
    return answered(answer.status, answer.body, answer.headers['retry-after'])
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    if (error.status !== undefined) return answered(error.status)
    if (error.sent) return unanswered('refused', FAULTS[error.kind], true)
    // The request itself is invalid, so every attempt would fail.
    if (error.kind === 'garbled')
      return unanswered('refused', 'no valid HTTP request can be made from the event', false)
    return unanswered('away', FAULTS[error.kind], false)
  }
}

function beginningOf(body: Uint8Array | undefined): string | null {
  return body === undefined || body.length === 0 ? null : new TextDecoder().decode(body.subarray(0, KEPT_BYTES))
}

/** The characters that a header may contain (RFC 9110, 5.5). */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Statuses that mean `away`: too many requests, and a proxy's answers while the handler behind it is restarted or overloaded. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504])

function outcomeOf(status: number): ForwardOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return AWAY.has(status) ? 'away' : 'refused'
}

/**
 * Whether a status means that the handler cannot be reached or is overloaded.
 * @param status null when there is no answer. The result is then false
 */
export const isAwayStatus = (status: number | null): boolean => status !== null && AWAY.has(status)

function refusalOf(status: number): string | null {
  if (outcomeOf(status) === 'delivered') return null
  return status >= 300 && status < 400 ? `${status}, a redirect, which is not followed` : `answered ${status}`
}

const FAULTS: Record<WireFailure['kind'], string> = {
  refused: 'nothing answers at the address',
  dns: 'the handler’s host name was not found',
  tls: 'the secure connection failed',
  proxy: 'no connection through the proxy',
  reset: 'the connection was cut off',
  timeout: 'no answer in time',
  'too-large': 'the handler’s answer is too large',
  garbled: 'the answer is not HTTP',
  aborted: 'interrupted',
}

const asHeader = (id: string) => (/^[\x21-\x7e]+$/.test(id) ? id : encodeURIComponent(id.toWellFormed()))
