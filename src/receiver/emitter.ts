import type { Inbox, StoredEvent } from './inbox.ts'

/**
 * Prints stored events ("emits" them) in the order in which they were stored, each at least one time. If the output is slow, they are read
 * from the inbox instead of memory.
 */
export interface Emitter {
  give(event: StoredEvent): void
  /** Call this when the inbox may contain events that were not added with `give`. */
  look(): void
  /** Drops the events in memory and reads them from the inbox again, because another receiver may have taken them over. */
  doubt(): void
  /** Stops when all stored events were emitted. Waits at most `ms` milliseconds, because perhaps no process reads the output. */
  stop(ms: number): Promise<void>
}

export interface EmitterOptions {
  inbox: Pick<Inbox, 'emittable' | 'emittedUpTo' | 'holds'>
  /** Prints events in order. Resolves with the number of printed events (`taken`), and whether more events are wanted (`more`). */
  emit(events: readonly StoredEvent[]): Promise<{ taken: number; more: boolean }>
  emitted(place: number): void
  /** Called with an error after which no more events can be emitted. Must not throw. */
  onFailure(error: unknown): void
}

const CHUNK = 50
const KEPT_BYTES = 4 * 1024 * 1024

/** Starts to emit the stored events that were not emitted yet. Throws if the inbox cannot be read. */
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
    // Wait, so that events that are given one after the other are printed together.
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
