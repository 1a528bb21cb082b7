import type { Inbox, StoredEvent } from './inbox.ts'

/**
 * Emits stored events in the order in which they were stored, each at least once. To emit an event means to print it. While the reader
 * keeps up, new events are emitted from memory. Otherwise the inbox is the queue, so that memory use stays small.
 */
export interface Emitter {
  /** Adds a new event, which was stored after all events added before. */
  give(event: StoredEvent): void
  /** Tells the emitter that the inbox may contain events that were not added with `give`. */
  look(): void
  /**
   * Tells the emitter that another receiver may have taken over some events. From now on only events that the inbox returns as ours are
   * emitted.
   */
  doubt(): void
  /** Emits the remaining stored events, then stops. Stops after `ms` in any case, because nothing may be reading them any more. */
  stop(ms: number): Promise<void>
}

export interface EmitterOptions {
  inbox: Pick<Inbox, 'emittable' | 'emittedUpTo' | 'holds'>
  /** Prints events, in order. Resolves with the number of events that were printed, and whether more are wanted. */
  emit(events: readonly StoredEvent[]): Promise<{ taken: number; more: boolean }>
  /** Called with the place of the last event that was emitted. */
  emitted(place: number): void
  /** Called with the reason why no more events can be emitted. Must not throw. */
  onFailure(error: unknown): void
}

const CHUNK = 50
/** How many bytes of bodies may wait in memory. */
const KEPT_BYTES = 4 * 1024 * 1024

export async function startEmitter(options: EmitterOptions): Promise<Emitter> {
  let position = await options.inbox.emittedUpTo()
  let kept: StoredEvent[] = []
  let keptBytes = 0
  /** True when the inbox may contain events that precede those in memory. */
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
    // Wait until all events of the batch were given.
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
