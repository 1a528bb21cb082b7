import { BnplError } from '../errors.ts'
import { POOLED } from '../postgres/failure.ts'
import type { Inbox, StoredEvent } from './inbox.ts'

/**
 * Prints stored events ("emits" them) in the order in which they were stored, each at least one time. If the output is slow, they are read
 * from the inbox instead of memory.
 */
export interface Emitter {
  add(event: StoredEvent): void
  /** Call this when the inbox may contain events that were not added with `add`. */
  look(): void
  /** Drops the events in memory and reads them from the inbox again, because another receiver may have taken them over. */
  reread(): void
  /** Stops when all stored events were emitted. Waits at most `ms` milliseconds, because perhaps no process reads the output. */
  stop(ms: number): Promise<void>
}

export interface EmitterOptions {
  inbox: Pick<Inbox, 'emittable' | 'emittedUpTo' | 'holds' | 'shared'>
  /** Prints events in order. Resolves with the number of printed events (`taken`), and whether more events are wanted (`more`). */
  emit(events: readonly StoredEvent[]): Promise<{ taken: number; more: boolean }>
  emitted(place: number, session: number | undefined): void
  /** Called with the error of a read that is tried again. Must not throw. */
  onUnread(error: BnplError): void
  /** Called with an error after which no more events can be emitted. Must not throw. */
  onFailure(error: unknown): void
}

const CHUNK = 50
const KEPT_BYTES = 4 * 1024 * 1024

/** Starts to emit the stored events that were not emitted yet. Throws if the inbox cannot be read. */
export async function startEmitter(options: EmitterOptions): Promise<Emitter> {
  const { inbox } = options
  let position: Pick<StoredEvent, 'place' | 'session'> = { place: await inbox.emittedUpTo() }
  const kept = memory()
  /** True when the inbox may contain events that precede those in memory. */
  let behind = true
  /** True after a read that failed, until `look` is called. `add` does not read again, because there can be thousands of calls a second. */
  let unread = false
  let over = false
  let stopped = false
  let running: Promise<void> | undefined

  const isPast = ({ place, session }: StoredEvent) => session === position.session && place <= position.place
  const next = async (): Promise<readonly StoredEvent[]> => {
    if (!inbox.holds()) reread()
    if (!behind) return kept.take().filter((event) => !isPast(event))
    const events = await read()
    if (events.length === CHUNK) reread()
    return events
  }
  const read = async (): Promise<readonly StoredEvent[]> => {
    behind = false
    try {
      return await inbox.emittable(position.place, CHUNK, position.session)
    } catch (error) {
      // A receiver on a database looks into it each second. Nothing would read a file again.
      if (!inbox.shared || !(error instanceof BnplError) || error.code === POOLED) throw error
      options.onUnread(error)
      unread = !behind
      // The events that could not be read precede those that arrived meanwhile.
      reread()
      return []
    }
  }
  const reread = (): void => {
    behind = true
    kept.take()
  }
  const run = async (): Promise<void> => {
    // Wait, so that events that are added one after the other are printed together.
    await undefined
    while (!over && !unread && (behind || kept.size() > 0)) {
      const events = await next()
      if (events.length === 0) continue
      const { taken, more } = await options.emit(events)
      if (stopped) return
      const last = events[taken - 1]
      if (last) {
        position = { place: last.place, session: last.session }
        options.emitted(last.place, last.session)
      }
      if (!more) over = true
    }
  }
  const start = (): void => {
    if (running || over || unread) return
    running = run()
      .catch((error: unknown) => {
        over = true
        // A stop that was out of time has left this read behind, and the inbox may be closed.
        if (!stopped) options.onFailure(error)
      })
      .finally(() => {
        running = undefined
        if (behind || kept.size() > 0) start()
      })
  }
  start()
  return {
    add(event) {
      if (over) return
      if (behind || !kept.add(event)) reread()
      start()
    },
    look() {
      behind = true
      unread = false
      start()
    },
    reread,
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

/** Returns a list of events in memory. `add` returns false, and adds nothing, if their bodies would be larger than `KEPT_BYTES`. */
function memory() {
  let events: StoredEvent[] = []
  let bytes = 0
  return {
    size: () => events.length,
    add(event: StoredEvent): boolean {
      if (bytes + event.body.length > KEPT_BYTES) return false
      bytes += event.body.length
      return events.push(event) > 0
    },
    /** Returns all events, and removes them from the list. */
    take(): StoredEvent[] {
      const taken = events
      events = []
      bytes = 0
      return taken
    },
  }
}
