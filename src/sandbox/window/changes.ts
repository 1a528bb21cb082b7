import type { Store } from '../store/store.ts'

/** What changed within this time is told in one message, in ms. */
const GATHER_MS = 60

/** How often a stream says that it is still there, in ms. */
const HEARTBEAT_MS = 15_000

/**
 * Server-sent events that say which tables were written; whoever shows them asks for what it shows.
 * @param signal ends it
 */
export async function* changesOf(store: Store, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const written = new Set<string>()
  let wake = () => {}
  const stop = await store.onWrite((table) => {
    written.add(table)
    wake()
  })
  const end = () => wake()
  signal.addEventListener('abort', end)
  try {
    yield encoder.encode('event: ready\ndata: {}\n\n')
    while (!signal.aborted) {
      if (written.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, HEARTBEAT_MS).unref()
        })
      }
      if (signal.aborted) return
      if (written.size === 0) {
        yield encoder.encode(': still here\n\n')
        continue
      }
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
      const tables = [...written]
      written.clear()
      yield encoder.encode(`event: changed\ndata: ${JSON.stringify(tables)}\n\n`)
    }
  } finally {
    stop()
    signal.removeEventListener('abort', end)
  }
}
