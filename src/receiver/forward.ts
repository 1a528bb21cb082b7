import { type Transport, WireFault } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import { isConfirmed } from '../domain/event-agreement.ts'
import type { StoredEvent } from './inbox.ts'
import { SCHEME_HEADER } from './verifier.ts'

/** What one attempt to hand an event to the handler came to. */
export interface Attempt {
  /** Null when no answer came. */
  status: number | null
  /** Why it does not count as delivered; null when it does. */
  error: string | null
  /** True when the handler was not there at all: nothing was sent. */
  absent: boolean
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
  try {
    const { body } = event
    const request = { method: 'POST', url, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    const { status } = await transport(signal ? { ...request, signal } : request)
    if (status >= 200 && status < 300) return { status, error: null, absent: false, ms: took() }
    const error = status >= 300 && status < 400 ? `${status}, a redirect, which is not followed` : `answered ${status}`
    return { status, error, absent: false, ms: took() }
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    return { status: null, error: FAULTS[error.kind], absent: !error.sent, ms: took() }
  }
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
