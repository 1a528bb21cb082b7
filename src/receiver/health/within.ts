import type { Clock } from '../../domain/clock.ts'

/** What a promise comes to, or undefined when it fails or takes longer than `ms`. */
export async function within<T>(ms: number, promise: Promise<T>, clock: Clock): Promise<T | undefined> {
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
