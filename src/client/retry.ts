import type { Repeat } from '../contract/calls/call.ts'
import type { WireFailureKind } from '../contract/wire.ts'
import { msSince1970, parseRetryAfter } from '../domain/clock.ts'

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
  /** Called when an attempt has ended, with what its answer says about the limit of the service. */
  ended?(limit: CallLimit | undefined): void
}

/** How many calls a service still allows, and after how many ms it allows all of them again. */
interface CallLimit {
  left: number
  resetMs: number
}

export type CallAttempt =
  | { outcome: 'failure'; kind: WireFailureKind; sent: boolean }
  | { outcome: 'answer'; status: number; retryAfterMs: number | undefined }

const PASSING = new Set([500, 502, 503, 504])
/** A call with one of these failures is not repeated: it was aborted, its time is over, or it would probably fail again. */
const FINAL_FAILURES = new Set<WireFailureKind>(['tls', 'proxy', 'too-large', 'garbled', 'aborted', 'timeout'])

/**
 * Returns the wait in ms before the next attempt, or undefined if the call is not repeated. After a failure in `FINAL_FAILURES`, no call is
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
  if (attempt.outcome === 'failure') {
    if (FINAL_FAILURES.has(attempt.kind)) return undefined
    return !attempt.sent || repeat === 'safe' ? backoff : undefined
  }
  if (attempt.status !== 429 && !(PASSING.has(attempt.status) && repeat === 'safe')) return undefined
  if (attempt.retryAfterMs === undefined) return backoff
  return attempt.retryAfterMs > policy.maxWaitMs ? undefined : { waitMs: attempt.retryAfterMs }
}

const LEFT = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining']
const RESET = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset']

/** A larger number is a time in ms since 1970, or in seconds, and not a wait in seconds. */
const LONGEST_WAIT_S = 1e8

/**
 * Reads the headers in which services say how many calls they still allow: `RateLimit-Remaining` and `RateLimit-Reset` (also with `X-`), or
 * `RateLimit` with both (`limit=100, remaining=3, reset=20`, or `"default";r=3;t=20`). Returns undefined if an answer has none of them.
 * @param now ms since 1970
 */
export function callLimitOf(headers: Readonly<Record<string, string>>, now: number): CallLimit | undefined {
  const both = headers.ratelimit
  const first = (names: readonly string[]) => names.map((name) => headers[name]).find((value) => value !== undefined)
  const left = both === undefined ? first(LEFT) : /(?:remaining|\br)\s*=\s*(\d{1,9})/.exec(both)?.[1]
  const reset = both === undefined ? first(RESET) : /(?:reset|\bt)\s*=\s*(\d{1,9})/.exec(both)?.[1]
  if (left === undefined || reset === undefined || !/^\d{1,9}$/.test(left.trim())) return undefined
  const resetMs = waitMsOf(reset.trim(), now)
  return resetMs === undefined ? undefined : { left: Number(left), resetMs }
}

/** Reads a time as a wait in seconds, as seconds or ms since 1970, or as a date. */
function waitMsOf(text: string, now: number): number | undefined {
  if (!/^\d{1,14}(?:\.\d{1,6})?$/.test(text)) return parseRetryAfter(text, now)
  const value = Number(text)
  if (value < LONGEST_WAIT_S) return value * 1000
  return Math.max(0, msSince1970(value) - now)
}
