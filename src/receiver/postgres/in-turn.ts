/** The same work, one call at a time, in the order of the calls; one that fails holds up none. */
export function inTurn<A extends unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve()
  return (...args) => {
    const next = last.then(() => work(...args))
    last = next.catch(() => {})
    return next
  }
}
