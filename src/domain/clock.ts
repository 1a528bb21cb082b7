/** Time, as an argument. */
export interface Clock {
  /** Milliseconds since 1970, for what people read and for the wire. */
  now(): number
  /** Milliseconds that never jump, for measuring how long something took or how old a token is. */
  monotonic(): number
  /** Waits. Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
