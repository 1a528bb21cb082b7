import type { Store } from '../sandbox/store/store.ts'

const GATHER_MS = 60

/** After this time without events, the server sends a comment line, so that the idle connection is not closed. */
const HEARTBEAT_MS = 15_000

/**
 * Yields server-sent events with the names of the tables that were written.
 * @param signal ends the stream
 */
export async function* tableWrites(store: Store, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const written = new Set<string>()
  let wake = () => {}
  const stop = store.onWrite((table) => {
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
