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
  const answered = (status: number): Attempt => ({ status, error: refusalOf(status), absent: false, ms: took() })
  try {
    const { body } = event
    const request = { method: 'POST', url, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    return answered((await transport(signal ? { ...request, signal } : request)).status)
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
    // What was not read of its answer changes nothing.
    if (error.status !== undefined) return answered(error.status)
    return { status: null, error: FAULTS[error.kind], absent: !error.sent, ms: took() }
  }
}

/** Why a status does not count as delivered; null when it does. */
function refusalOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
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
