import { type Transport, WireFault } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import { parseRetryAfter } from '../domain/duration.ts'
import { isConfirmed } from '../domain/event-agreement.ts'
import type { StoredEvent } from './inbox.ts'
import { SCHEME_HEADER } from './verifier.ts'

/**
 * What an attempt came to. `away`: nobody is there to take it, by the connection or by the word of a proxy, and it is waited for.
 * `refused`: the handler had it and did not take it, or nobody could have sent it; these are counted.
 */
export type Outcome = 'delivered' | 'away' | 'refused'

/** One attempt to hand an event to the handler. */
export interface Attempt {
  outcome: Outcome
  /** Null when no answer came. */
  status: number | null
  /** Why it does not count as delivered; null when it does. */
  error: string | null
  /** Whether any of it left this machine. */
  sent: boolean
  /** Milliseconds that the answer asked to be left alone (`Retry-After`); 0 when it did not. */
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

/** Bytes of the handler's answer that are read; its status is all that counts. */
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Sends an event to the handler, the body byte for byte as it was received. The HMAC signature goes with it, so that a handler can
 * verify as it would in production; a static token is a secret and does not.
 * @param attempt counted from 1
 */
export async function forward(
  event: StoredEvent,
  attempt: number,
  target: ForwardTarget,
  signal?: AbortSignal,
): Promise<Attempt> {
  const { url, transport, clock, timeoutMs, userAgent } = target
  const headers: Record<string, string> = {
    'content-type': event.contentType ?? 'application/json',
    'user-agent': userAgent,
    'bnpl-event-id': asHeader(event.eventId ?? `quarantined-${event.seq}`),
    'bnpl-event': event.event ?? 'unknown',
    'bnpl-attempt': String(attempt),
    // Under the token scheme whoever holds the token may have written this; an API read can confirm it.
    'bnpl-confirmed': String(isConfirmed(event)),
  }
  if (event.signature !== null) headers[SCHEME_HEADER.hmac] = event.signature
  const started = clock.monotonic()
  const took = () => clock.monotonic() - started
  const answered = (status: number, retryAfter?: string): Attempt => ({
    outcome: outcomeOf(status),
    status,
    error: refusalOf(status),
    sent: true,
    retryAfterMs: parseRetryAfter(retryAfter, clock.now()) ?? 0,
    ms: took(),
  })
  const unanswered = (outcome: 'away' | 'refused', error: string, sent: boolean): Attempt => ({
    outcome,
    status: null,
    error,
    sent,
    retryAfterMs: 0,
    ms: took(),
  })
  const unsendable = Object.keys(headers).find((name) => !SENDABLE.test(headers[name] ?? ''))
  if (unsendable !== undefined)
    return unanswered('refused', `its ${unsendable} has a character no header can have`, false)
  try {
    const { body } = event
    const request = { method: 'POST', url, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    const answer = await transport(signal ? { ...request, signal } : request)
    return answered(answer.status, answer.headers['retry-after'])
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    // What was not read of its answer changes nothing.
    if (error.status !== undefined) return answered(error.status)
    if (error.sent) return unanswered('refused', FAULTS[error.kind], true)
    // No connection was made. What failed without one is the request itself, and would fail for ever.
    if (error.kind === 'garbled') return unanswered('refused', 'cannot be put into a request', false)
    return unanswered('away', FAULTS[error.kind], false)
  }
}

/** What a header can carry (RFC 9110, 5.5). A row of a database may hold more. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Too many requests; and what a proxy says while the handler behind it is restarted, replaced or overloaded. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504])

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'delivered'
  return AWAY.has(status) ? 'away' : 'refused'
}

/** Whether an answer is that of a handler which is away. @param status null when no answer came */
export const isAwayStatus = (status: number | null): boolean => status !== null && AWAY.has(status)

/** Why a status does not count as delivered; null when it does. */
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
  'too-large': 'answered with too much',
  garbled: 'did not answer in HTTP',
  aborted: 'interrupted',
}

/** An id as a header can carry it: as it is, or percent-encoded where it has other than visible ASCII. */
const asHeader = (id: string) => (/^[\x21-\x7e]+$/.test(id) ? id : encodeURIComponent(id.toWellFormed()))
