/** Closes something that was opened. */
export type Close = () => Promise<unknown>

/**
 * Runs every closer, the last added first, and removes it from the list. If one fails, the others still run. @returns the failures in their
 * order; never throws
 */
export async function closeAll(closers: Close[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (let close = closers.pop(); close; close = closers.pop()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  return failures
}
