/** Closes something that was opened. */
export type Close = () => Promise<unknown>

/**
 * Runs every closer, beginning with the one that was added last, and removes it from the list. If a closer fails, the others still run.
 * Never throws. @returns the errors of the closers that failed, in the order in which they occurred
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
