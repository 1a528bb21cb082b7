/** Returns a function that calls `make` the first time and then returns the same value, also when it is a promise that rejects. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
