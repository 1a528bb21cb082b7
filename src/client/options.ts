import type { Call } from '../contract/calls/call.ts'
import type { Transport, WireRequest } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'
import type { Pacing, RetryPolicy } from './retry.ts'

export interface ApiClientOptions {
  transport: Transport
  /** The base address of the service for which the key is valid. Calls are only sent there. */
  baseUrl: string
  apiKey: string | undefined
  clock: Clock
  random: () => number
  /** The time limit of one call with all its attempts, in ms. The waits between the attempts do not count. */
  timeoutMs: number
  retry?: RetryPolicy
  /** Paths that the specification does not show (gap 14), by setting name. */
  paths?: Partial<Record<string, string>>
  /**
   * Encodings that the specification does not show, by setting name. A body is encoded as `form` or `json` (gap 10), and a list in one of
   * `LIST_ENCODINGS` (gap 27).
   */
  bodies?: Partial<Record<string, string>>
  userAgent?: string
  signal?: AbortSignal
  /** Called before anything is sent, and awaited. If it throws, nothing is sent. */
  beforeSend?: (call: Pick<Call, 'summary' | 'changes'>, request: WireRequest) => Promise<void> | undefined
  /** Called after every attempt, with a masked address. */
  onAttempt?: (attempt: AttemptReport) => void
  onWait?: (waitMs: number, why: string) => void
  onOddShape?: (what: string) => void
  pacing?: Pacing
}

export interface AttemptReport {
  method: string
  url: string
  /** The status, or the kind of fault. */
  result: number | string
  ms: number
}
