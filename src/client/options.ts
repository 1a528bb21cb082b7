import type { Call } from '../contract/calls/call.ts'
import type { Transport, WireRequest } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import type { Pacing, RetryPolicy } from './retry.ts'

/** The settings of a client, and the callbacks for its reports. */
export interface ApiClientOptions {
  transport: Transport
  /** The address that the key belongs to; every call is sent only there. */
  baseUrl: string
  apiKey: string | undefined
  clock: Clock
  random: () => number
  /** The time limit of one call with all its attempts, in ms. Waits that the service asked for do not count. */
  timeoutMs: number
  retry?: RetryPolicy
  /** Paths of endpoints that the specification does not show (gap 14), by setting name. */
  paths?: Partial<Record<string, string>>
  /**
   * Encodings that the specification does not show, by setting name: of bodies `form` (the default) or `json` (gap 10), of the list in a form
   * one of `LIST_ENCODINGS` (gap 27).
   */
  bodies?: Partial<Record<string, string>>
  userAgent?: string
  signal?: AbortSignal
  /** Called before anything is sent, and awaited if it returns a promise. If it throws, the call ends with nothing sent. */
  beforeSend?: (call: Pick<Call, 'summary' | 'changes'>, request: WireRequest) => Promise<void> | undefined
  /** Called after every attempt, for a trace; the address is masked. */
  onAttempt?: (attempt: AttemptReport) => void
  /** Called before a wait, for a line on stderr. */
  onWait?: (waitMs: number, why: string) => void
  /** Called with a line about the shape of an answer that was read although the contract has another shape. */
  onOddShape?: (what: string) => void
  /** Decides when attempts may be sent, if many calls share one pace. */
  pacing?: Pacing
}

export interface AttemptReport {
  method: string
  url: string
  /** The status, or the kind of fault. */
  result: number | string
  ms: number
}
