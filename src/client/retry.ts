import type { Repeat } from '../contract/calls/call.ts'
import type { FaultKind } from '../contract/wire.ts'

/** How often and how long a call is repeated. Durations in ms. */
export interface RetryPolicy {
  /** The maximum number of attempts, including the first. */
  attempts: number
  /** The maximum number of attempts if the service answers 429, which means that the service did nothing. The default is `attempts`. */
  limitedAttempts?: number
  baseMs: number
  capMs: number
  /** If the service asks for a longer pause than this, the call fails at once. */
  maxWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseMs: 500, capMs: 8000, maxWaitMs: 60_000 }

export interface Pacing {
  /** Resolves when an attempt may be sent. Returns undefined if it may be sent at once. If the promise rejects, the call ends. */
  ready(): Promise<void> | undefined
  /** Called when the service asked for a pause (429). No call sends an attempt for this many ms. */
  pause(ms: number): void
}

export type CallAttempt =
  | { outcome: 'fault'; kind: FaultKind; sent: boolean }
  | { outcome: 'answer'; status: number; retryAfterMs: number | undefined }

const PASSING = new Set([500, 502, 503, 504])
/** A call with one of these faults is not repeated: it was aborted, its time is over, or it would probably fail again. */
const FINAL_FAULTS = new Set<FaultKind>(['tls', 'proxy', 'too-large', 'garbled', 'aborted', 'timeout'])

/**
 * Returns the wait in ms before the next attempt, or undefined if the call is not repeated. After a fault in `FINAL_FAULTS`, no call is
 * repeated. Otherwise, every call that the service refused before processing (429), or that never reached the service, may be repeated.
 * After other errors, only a call that is safe to repeat is repeated.
 * @param made the number of attempts so far
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
    return !attempt.sent || repeat === 'safe' ? backoff : undefined
  }
  if (attempt.status !== 429 && !(PASSING.has(attempt.status) && repeat === 'safe')) return undefined
  if (attempt.retryAfterMs === undefined) return backoff
  return attempt.retryAfterMs > policy.maxWaitMs ? undefined : { waitMs: attempt.retryAfterMs }
}
