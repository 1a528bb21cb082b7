import type { Inbox, StoredEvent } from './inbox.ts'

/**
 * Emits stored events in the order they were stored, each at least once. A new event is emitted from memory while the reader keeps up;
 * otherwise the inbox is the queue, so that memory stays small.
 */
export interface Emitter {
  /** A new event was stored, after everything that was given before. */
  give(event: StoredEvent): void
  /** The inbox may hold events that were not given. */
  look(): void
  /** Another receiver may have taken over events that were given: from now on only those are emitted that the inbox reads as ours. */
  doubt(): void
  /** Emits the stored events that are left, then stops. Stops after `ms` in any case, since the reader may have stopped reading. */
  stop(ms: number): Promise<void>
}

export interface EmitterOptions {
  inbox: Pick<Inbox, 'emittable' | 'emittedUpTo' | 'holds'>
  /** Takes events, in order; resolves, when they are taken, with how many were and whether more are wanted. */
  emit(events: readonly StoredEvent[]): Promise<{ taken: number; more: boolean }>
  /** Called with the place up to which events were taken. */
  emitted(place: number): void
  /** Gets why no more events can be emitted. May not throw. */
  onFailure(error: unknown): void
}

const CHUNK = 50
/** Bytes of bodies that wait in memory. */
const KEPT_BYTES = 4 * 1024 * 1024

export async function startEmitter(options: EmitterOptions): Promise<Emitter> {
  let position = await options.inbox.emittedUpTo()
  let kept: StoredEvent[] = []
  let keptBytes = 0
  /** The inbox may hold events that come before the kept ones. */
  let behind = true
  let over = false
  let stopped = false
  let running: Promise<void> | undefined

  const forget = (): void => {
    kept = []
    keptBytes = 0
  }
  const next = async (): Promise<readonly StoredEvent[]> => {
    if (!options.inbox.holds()) doubt()
    if (!behind) {
      const events = kept.filter(({ place }) => place > position)
      forget()
      return events
    }
    behind = false
    const events = await options.inbox.emittable(position, CHUNK)
    if (events.length < CHUNK) return events
    behind = true
    forget()
    return events
  }
  const doubt = (): void => {
    behind = true
    forget()
  }
  const run = async (): Promise<void> => {
    // Wait until every event of the batch is given.
    await undefined
    while (!over && (behind || kept.length > 0)) {
      const events = await next()
      if (events.length === 0) continue
      const { taken, more } = await options.emit(events)
      if (stopped) return
      const last = events[taken - 1]
      if (last) {
        position = last.place
        options.emitted(position)
      }
      if (!more) over = true
    }
  }
  const start = (): void => {
    if (running || over) return
    running = run()
      .catch((error: unknown) => {
        over = true
        options.onFailure(error)
      })
      .finally(() => {
        running = undefined
        if (behind || kept.length > 0) start()
      })
  }
  start()
  return {
    give(event) {
      if (over) return
      keptBytes += event.body.length
      if (behind || keptBytes > KEPT_BYTES) {
        behind = true
        forget()
      } else kept.push(event)
      start()
    },
    look() {
      behind = true
      start()
    },
    doubt,
    async stop(ms) {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, ms)
      const drain = async () => {
        while (running && !stopped) await running
      }
      await Promise.race([drain(), late.promise])
      clearTimeout(timer)
      over = true
      stopped = true
    },
  }
}
