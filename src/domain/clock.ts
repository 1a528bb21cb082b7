/** The time, passed in as an argument. */
export interface Clock {
  /** Milliseconds since 1970, for times that are shown or sent. */
  now(): number
  /** Milliseconds that never jump, for measuring how long something took or how old a token is. */
  monotonic(): number
  /** Waits. Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
