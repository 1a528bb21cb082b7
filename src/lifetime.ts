/**
 * Returns a function that calls `make` only the first time, and returns the same value every time, even if it is a promise that rejects.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export type Close = () => Promise<unknown>

/**
 * Runs every closer, beginning with the last one in the list, and empties the list. If a closer fails, the others still run. Returns the
 * errors of the closers that failed, and never throws.
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
