/** Something that is made when it is first asked for, and stays: a promise of it too, and one that fails. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
