/** Milliseconds of silence after which the server ends a session, and with it its locks (`idle_session_timeout`, PostgreSQL 14). */
export const IDLE_MS = 5000
/**
 * Milliseconds after which a session must ask the server before it relies on its locks. It is less than the first time, so that this session
 * stops before another begins.
 */
const LEASE_MS = 4000

/** Tracks how long a session may rely on its locks without asking the server. */
interface Lease {
  /** Whether the server answered so recently that it cannot have ended the session for its silence. */
  isFresh(): boolean
  /** Does work on the session. When the server answers, the lease restarts from the moment of the question. */
  renew<T>(ask: () => Promise<T>): Promise<T>
}

/** @param clock both in ms; the second may jump */
export function createLease(clock = { monotonic: () => performance.now(), wall: () => Date.now() }): Lease {
  const now = () => ({ monotonic: clock.monotonic(), wall: clock.wall() })
  let provedAt = now()
  return {
    isFresh() {
      const { monotonic, wall } = now()
      // The monotonic clock stops while a machine is suspended; the wall clock is wrong after it was set back.
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
