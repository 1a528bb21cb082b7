import { type EventType, RECEIVER_ANSWER_BYTES } from '../../contract/integrations.ts'
import { type Transport, WireFault, type WireRequest } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import { type DeliverySigner, headerSent } from '../verification/verifier.ts'

/** An event that the service would send (specification, "Webhook events"). */
export interface OutgoingEvent {
  event: EventType
  eventId: string
  data: unknown
}

export type Reply = ({ status: number; fault: null } | { status: null; fault: WireFault['kind'] }) & {
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
  return scheme === 'hmac'
    ? `${header} (scheme hmac: ${algorithm}, ${encoding}${sent?.timed ? ', with a timestamp' : ''})`
    : `${header} (scheme token)`
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
    if (!(error instanceof WireFault)) throw error
    if (error.kind === 'aborted') throw request.signal?.reason ?? error
    // A receiver whose answer is too large has answered, so use its status.
    const { status, kind, sent } = error
    const ms = clock.monotonic() - started
    return status === undefined ? { status: null, fault: kind, sent, ms } : { status, fault: null, sent, ms }
  }
}
