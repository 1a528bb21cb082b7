/** Milliseconds of silence after which the server ends a session, and with it its locks (`idle_session_timeout`, PostgreSQL 14). */
export const IDLE_MS = 5000
/** Milliseconds after which a session does not rely on its locks without asking: less, so that it stops before another begins. */
const LEASE_MS = 4000

/** How long the locks of a session can be relied on without asking the server. */
interface Lease {
  /** Whether the server answered so recently that it cannot have ended the session for its silence. */
  isFresh(): boolean
  /** Does something on the session; when the server answers, the lease runs anew from the moment it was asked. */
  renew<T>(ask: () => Promise<T>): Promise<T>
}

/** @param clock both in ms; the second may jump */
export function createLease(clock = { monotonic: () => performance.now(), wall: () => Date.now() }): Lease {
  const now = () => ({ monotonic: clock.monotonic(), wall: clock.wall() })
  let provedAt = now()
  return {
    isFresh() {
      const { monotonic, wall } = now()
      // On a machine that was suspended the one clock stood still, on one whose clock was put back the other says nothing.
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
