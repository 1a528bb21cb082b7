import type { Inbox, StoredEvent } from './inbox.ts'

/**
 * Hands stored events on, in the order they were stored, each at least once. What was just stored is handed on from memory while the
 * taker keeps up; otherwise the inbox is the queue, so that memory stays small.
 */
export interface Emitter {
  /** Something new was stored, after everything that was given before. */
  give(event: StoredEvent): void
  /** There may be more in the inbox than was given. */
  look(): void
  /** What was given may be another's by now: only what the inbox still says is ours is handed on. */
  doubt(): void
  /** Hands over what is stored and was not yet, then stops; after `ms` whatever is left, since who takes it may have stopped reading. */
  stop(ms: number): Promise<void>
}

export interface EmitterOptions {
  inbox: Pick<Inbox, 'emittable' | 'emittedUpTo' | 'holds'>
  /** Takes some events, in order; resolves when they were taken, to how many of them and whether more are wanted. */
  emit(events: readonly StoredEvent[]): Promise<{ taken: number; more: boolean }>
  /** Told how far events were taken. */
  emitted(place: number): void
  /** Gets why nothing can be handed on any more. May not throw. */
  onFailure(error: unknown): void
}

const CHUNK = 50
/** Bytes of bodies that wait in memory. */
const KEPT_BYTES = 4 * 1024 * 1024

export async function startEmitter(options: EmitterOptions): Promise<Emitter> {
  let position = await options.inbox.emittedUpTo()
  let kept: StoredEvent[] = []
  let keptBytes = 0
  /** There may be events in the inbox that come before the kept ones. */
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
    // Once everything of the batch was given.
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
