import { type Transport, WireFault } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import { parseRetryAfter } from '../../domain/duration.ts'
import { isConfirmed } from '../../domain/event-agreement.ts'
import type { StoredEvent } from '../inbox.ts'
import { SCHEME_HEADER } from '../verification/verifier.ts'

/**
 * The outcome of an attempt. `away`: the handler is not there, by the connection or by the answer of a proxy; delivery is retried until it is
 * back. `refused`: the handler had the event and did not take it, or the event cannot be sent at all; these attempts are counted.
 */
type ForwardOutcome = 'delivered' | 'away' | 'refused'

/** One attempt to hand an event to the handler. */
export interface ForwardAttempt {
  outcome: ForwardOutcome
  /** Null when no answer came. */
  status: number | null
  /** Why it is not delivered; null when it is. */
  error: string | null
  /** The beginning of the body of the answer; null where it is empty or there is no answer. */
  answer: string | null
  /** Whether any of it left this machine. */
  sent: boolean
  /** Milliseconds that the answer asked to wait (`Retry-After`); 0 when it did not. */
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

/** Bytes of the handler's answer that are kept, for people who look for the reason of a refusal. */
const KEPT_BYTES = 2048

/** Bytes of the handler's answer that are read; its status decides. */
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Sends an event to the handler, the body byte for byte as it was received. The HMAC signature goes with it, so that a handler can
 * verify as it would in production. A static token is a secret and is not sent.
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
    'content-type': event.contentType ?? 'application/json',
    'user-agent': userAgent,
    'bnpl-event-id': asHeader(event.eventId ?? `quarantined-${event.seq}`),
    'bnpl-event': event.event ?? 'unknown',
    'bnpl-attempt': String(attempt),
    // Under the token scheme anyone who has the token may have written this; an API read can confirm it.
    'bnpl-confirmed': String(isConfirmed(event)),
  }
  if (event.signature !== null) headers[SCHEME_HEADER.hmac] = event.signature
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
    return unanswered('refused', `its ${unsendable} has a character that no header can carry`, false)
  try {
    const { body } = event
    const request = { method: 'POST', url, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    const answer = await transport(signal ? { ...request, signal } : request)
    return answered(answer.status, answer.body, answer.headers['retry-after'])
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    // The status is enough; the rest of its answer changes nothing.
    if (error.status !== undefined) return answered(error.status)
    if (error.sent) return unanswered('refused', FAULTS[error.kind], true)
    // No connection was made. The request itself is invalid, and would fail for ever.
    if (error.kind === 'garbled') return unanswered('refused', 'cannot be put into a request', false)
    return unanswered('away', FAULTS[error.kind], false)
  }
}

/** Text as it begins; a character that is cut at the end, or that is no UTF-8, is shown as one that is missing. */
function beginningOf(body: Uint8Array | undefined): string | null {
  return body === undefined || body.length === 0 ? null : new TextDecoder().decode(body.subarray(0, KEPT_BYTES))
}

/** The characters of a header (RFC 9110, 5.5). A row of a database may hold others. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Too many requests, and the answers of a proxy while the handler behind it is restarted, replaced or overloaded. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504])

function outcomeOf(status: number): ForwardOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return AWAY.has(status) ? 'away' : 'refused'
}

/** Whether an answer is that of a handler which is away. @param status null when no answer came */
export const isAwayStatus = (status: number | null): boolean => status !== null && AWAY.has(status)

/** Why a status does not mean delivered; null when it does. */
function refusalOf(status: number): string | null {
  if (outcomeOf(status) === 'delivered') return null
  return status >= 300 && status < 400 ? `${status}, a redirect, which is not followed` : `answered ${status}`
}

const FAULTS: Record<WireFault['kind'], string> = {
  refused: 'nothing answers there',
  dns: 'its name was not found',
  tls: 'the secure connection failed',
  proxy: 'the proxy did not connect',
  reset: 'cut the connection',
  timeout: 'no answer in time',
  'too-large': 'its answer is too large',
  garbled: 'did not answer in HTTP',
  aborted: 'interrupted',
}

/** An id as a header can carry it: unchanged, or percent-encoded when it has other characters than visible ASCII. */
const asHeader = (id: string) => (/^[\x21-\x7e]+$/.test(id) ? id : encodeURIComponent(id.toWellFormed()))
