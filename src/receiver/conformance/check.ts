import { type EventType, INTEGRATIONS } from '../../contract/integrations.ts'
import type { Transport } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DeliverySigner } from '../verification/verifier.ts'
import { type Reply, statusAdvice } from './test-delivery.ts'

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

type Held = Reply & { limitMs: number }

export type Send = (given?: Given) => Promise<Held>

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
  scheme === 'hmac' ? INTEGRATIONS.bnpl.events : INTEGRATIONS['real-estate'].events

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
export function saying({ status, fault, ms, limitMs }: Held): string {
  if (status !== null) return `answered ${status} in ${Math.round(ms)} ms`
  return fault === 'timeout' ? `no answer within ${limitMs} ms` : `no answer (${fault})`
}

const TOO_LATE = 'Store the event, answer 200, and process it afterwards.'

/**
 * Returns the finding about the reply to a delivery that the receiver must accept.
 * @param hint the hint for a failure, except when the reply is too late
 */
export function mustAccept(reply: Held, hint?: string) {
  if (accepted(reply)) return okFinding(saying(reply))
  if (reply.fault === 'timeout') return failFinding(saying(reply), TOO_LATE)
  return failFinding(saying(reply), hint ?? adviceFor(reply))
}

/** Returns what to do about the status of an answer that does not accept a delivery. */
export const adviceFor = ({ status, location }: Held): string | undefined =>
  status === null ? undefined : statusAdvice(status, location)

/** Returns the finding about the reply to a delivery that the receiver must refuse with a 4xx. A 5xx is a failure too. */
export function mustRefuse(reply: Held, hint: string) {
  if (accepted(reply)) return failFinding(`${saying(reply)}, so anybody could send events`, hint)
  if (reply.status === null) return failFinding(saying(reply), 'Refuse an invalid delivery with 401 at once.')
  if (reply.status >= 500)
    return failFinding(
      `${saying(reply)}, which is an error and not a refusal`,
      'Refuse every delivery whose signature is missing, malformed or wrong, for example with 401. Your handler must not fail on such a delivery.',
    )
  return reply.status < 400 ? failFinding(saying(reply), hint) : okFinding(saying(reply))
}
