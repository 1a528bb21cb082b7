export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that never jump, for measuring durations. */
  monotonic(): number
  /** Waits. Rejects with the signal's reason when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Returns the result of a promise, or undefined when the promise fails or takes longer than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T | undefined> {
  const over = new AbortController()
  const late = clock.sleep(ms, over.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([promise, late])
  } catch {
    return undefined
  } finally {
    over.abort()
  }
}
