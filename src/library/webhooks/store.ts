/**
 * Remembers which events were processed, so that a repeated delivery has no effect. If the store is in a database, `work` gets the
 * transaction in which the event is recorded. Then either the changes of `work` and the record of the event are both stored, or neither is,
 * even if the program ends in between.
 */
export interface EventStore<Tx = void> {
  /**
   * Runs `work`, unless it already ran for this event without an error. If the same event is delivered twice at the same time, the second
   * delivery waits, and runs `work` only if the first one failed. When `work` throws, the event is not recorded and the error is thrown
   * again, so that the service sends the event again.
   */
  once(eventId: string, work: (transaction: Tx) => Promise<void>): Promise<'done' | 'seen'>
}

/**
 * Returns a store in the memory of this process, for tests and for trying out. It forgets everything when the program ends, and other
 * processes do not see it.
 * @param most how many events are remembered. The oldest are forgotten first
 */
export function memoryStore(most = 100_000): EventStore {
  const done = new Set<string>()
  const running = new Map<string, Promise<void>>()
  return {
    async once(eventId, work) {
      for (;;) {
        if (done.has(eventId)) return 'seen'
        const other = running.get(eventId)
        if (other === undefined) break
        // Another delivery of this event is being processed. If that fails, the loop continues, and this delivery is processed.
        await other.catch(() => {})
      }
      const own = work()
      running.set(eventId, own)
      try {
        await own
      } finally {
        running.delete(eventId)
      }
      done.add(eventId)
      const [oldest = eventId] = done
      if (done.size > most) done.delete(oldest)
      return 'done'
    },
  }
}
