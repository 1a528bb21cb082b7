import type { Repeat } from '../contract/calls/call.ts'
import type { FaultKind } from '../contract/wire.ts'

/** How often and how patiently a call is repeated. Durations in ms. */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  attempts: number
  /** Attempts in all where the answer was 429, so nothing was done; as many as the others where it is left out. */
  limitedAttempts?: number
  baseMs: number
  capMs: number
  /** The longest wait the service may ask for; a longer one ends the call at once. */
  maxWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseMs: 500, capMs: 8000, maxWaitMs: 60_000 }

/** One pace for many calls. Each attempt asks it before it is sent, and a wait that the service asks for holds for all of them. */
export interface Pacing {
  /** Resolves when an attempt may be sent; its rejection ends the call. Undefined where it may at once. */
  ready(): Promise<void> | undefined
  /** The service asked for quiet (429): no attempt goes out for so many ms. */
  pause(ms: number): void
}

/** What became of one attempt. */
export type CallAttempt =
  | { outcome: 'fault'; kind: FaultKind; sent: boolean; stale?: boolean }
  | { outcome: 'answer'; status: number; retryAfterMs: number | undefined }

const PASSING = new Set([500, 502, 503, 504])
/** Faults that another attempt would meet again, or that already took all the time there was. */
const FINAL_FAULTS = new Set<FaultKind>(['tls', 'proxy', 'too-large', 'garbled', 'aborted', 'timeout'])

/**
 * The retry matrix: whether to send again, and after how many ms. Nothing that left this machine is repeated unless the endpoint says
 * it is safe; what was refused before processing (429, no connection) may be.
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
    // A kept connection that its server had closed says nothing about how the service is.
    if (attempt.stale === true && repeat === 'safe') return { waitMs: 0 }
    return !attempt.sent || repeat === 'safe' ? backoff : undefined
  }
  if (attempt.status !== 429 && !(PASSING.has(attempt.status) && repeat === 'safe')) return undefined
  if (attempt.retryAfterMs === undefined) return backoff
  return attempt.retryAfterMs > policy.maxWaitMs ? undefined : { waitMs: attempt.retryAfterMs }
}
