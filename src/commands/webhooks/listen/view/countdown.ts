import type { StoredEvent } from '../../../../receiver/inbox.ts'
import type { ListenPlan } from '../plan.ts'

/**
 * Returns a counter of events, which calls `done` when it reaches the number of `--until`. Without a handler, an event counts when it is
 * printed. With a handler, it must also be accepted by the handler, or set aside because the handler refused it too often.
 * @param done called when enough events are counted
 */
export function countdown({ until, forwardTo }: Pick<ListenPlan, 'until' | 'forwardTo'>, done: () => void) {
  let left = until ?? Number.POSITIVE_INFINITY
  const open = new Set<number>()
  const closed = new Set<number>()
  const check = () => {
    if (left <= 0 && open.size === 0) done()
  }
  return {
    left: () => left,
    open: () => [...open],
    emitted(events: readonly Pick<StoredEvent, 'seq'>[]): void {
      if (until === undefined) return
      left -= events.length
      if (forwardTo !== undefined) for (const { seq } of events) if (!closed.delete(seq)) open.add(seq)
      check()
    },
    forwarded(seq: number): void {
      if (until === undefined) return
      if (!open.delete(seq)) closed.add(seq)
      check()
    },
  }
}
