/** Ends something that was opened. */
export type Close = () => Promise<unknown>

/**
 * Runs every closer, the one that was added last first, and takes it off the list. A closer that fails keeps no other from running.
 * @returns what failed, in the order in which it failed; never throws
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
