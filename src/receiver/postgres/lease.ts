/** After this many milliseconds of silence, the server ends a session and releases its locks (`idle_session_timeout`, PostgreSQL 14). */
export const IDLE_MS = 5000
/**
 * After this many milliseconds of silence, a session must ask the server before it relies on its locks. This is less than `IDLE_MS`, so
 * that a session stops relying on its locks before another session can get them.
 */
const LEASE_MS = 4000

interface Lease {
  /** Whether the server answered so recently that it cannot have ended the session. */
  isFresh(): boolean
  /** Runs `ask`, which queries the server. If the server answers, the lease starts again at the time of the query. */
  renew<T>(ask: () => Promise<T>): Promise<T>
}

/**
 * Returns a lease, which says how long a session may rely on its locks without asking the server.
 * @param clock a monotonic clock and a wall clock, both in ms
 */
export function createLease(clock = { monotonic: () => performance.now(), wall: () => Date.now() }): Lease {
  const now = () => ({ monotonic: clock.monotonic(), wall: clock.wall() })
  let provedAt = now()
  return {
    isFresh() {
      const { monotonic, wall } = now()
      // Use both clocks, because the monotonic clock stops while a machine is suspended, and the wall clock may be set back.
      return Math.max(monotonic - provedAt.monotonic, wall - provedAt.wall) < LEASE_MS
    },
    async renew(ask) {
      const askedAt = now()
      const answer = await ask()
      provedAt = askedAt
      return answer
    },
  }
}
