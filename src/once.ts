/** Returns a function that calls `make` only the first time and always returns that value, also a promise that rejects. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
