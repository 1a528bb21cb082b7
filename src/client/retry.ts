import type { Repeat } from '../contract/calls/call.ts'
import type { FaultKind } from '../contract/wire.ts'

/** How often and how long a call is repeated. Durations in ms. */
export interface RetryPolicy {
  /** The most attempts, including the first. */
  attempts: number
  /** The most attempts after answers of 429, which mean that nothing was done; by default the same number. */
  limitedAttempts?: number
  baseMs: number
  capMs: number
  /** The longest wait the service may ask for; a longer one ends the call at once. */
  maxWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseMs: 500, capMs: 8000, maxWaitMs: 60_000 }

/** One pace for many calls. Each attempt asks it before it is sent. A wait that the service asks for applies to all of them. */
export interface Pacing {
  /** Resolves when an attempt may be sent; its rejection ends the call. Undefined means at once. */
  ready(): Promise<void> | undefined
  /** Says that the service asked for a pause (429): no attempt is sent for this many ms. */
  pause(ms: number): void
}

/** The outcome of one attempt. */
export type CallAttempt =
  | { outcome: 'fault'; kind: FaultKind; sent: boolean; stale?: boolean }
  | { outcome: 'answer'; status: number; retryAfterMs: number | undefined }

const PASSING = new Set([500, 502, 503, 504])
/** Faults that another attempt would meet again, or that already used all the time. */
const FINAL_FAULTS = new Set<FaultKind>(['tls', 'proxy', 'too-large', 'garbled', 'aborted', 'timeout'])

/**
 * The retry matrix: whether to send again, and after how many ms. Nothing that left this machine is repeated unless the endpoint says
 * it is safe; a call that was refused before processing (429, no connection) may be repeated.
 * @param made attempts made so far, this one included
 */
export function nextAttempt(
  repeat: Repeat,
  attempt: CallAttempt,
  made: number,
  random: () => number,
  policy: RetryPolicy = DEFAULT_RETRY,
): { waitMs: number } | undefined {
  const limited = attempt.outcome === 'answer' && attempt.status === 429
  if (made >= ((limited ? policy.limitedAttempts : undefined) ?? policy.attempts)) return undefined
  const backoff = { waitMs: Math.round(random() * Math.min(policy.capMs, policy.baseMs * 2 ** (made - 1))) }
  if (attempt.outcome === 'fault') {
    if (FINAL_FAULTS.has(attempt.kind)) return undefined
    // A kept connection that the server had closed says nothing about the state of the service.
    if (attempt.stale === true && repeat === 'safe') return { waitMs: 0 }
    return !attempt.sent || repeat === 'safe' ? backoff : undefined
  }
  if (attempt.status !== 429 && !(PASSING.has(attempt.status) && repeat === 'safe')) return undefined
  if (attempt.retryAfterMs === undefined) return backoff
  return attempt.retryAfterMs > policy.maxWaitMs ? undefined : { waitMs: attempt.retryAfterMs }
}
