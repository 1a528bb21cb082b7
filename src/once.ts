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
