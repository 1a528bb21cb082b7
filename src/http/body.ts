import type { IncomingMessage } from 'node:http'

interface BodyTaker {
  /** Called with the whole body. Call `release` when the body is no longer needed. Until then, the body uses the memory budget. */
  whole(body: Buffer, release: () => void): void
  /** Called when the body is larger than allowed (413), or when the memory budget is used up (503). */
  refused(status: 413 | 503): void
}

export interface BodyReader {
  readonly mostBytes: number
  /** Reads a body. If the connection ends early, no function of `taker` is called. */
  read(request: IncomingMessage, taker: BodyTaker): void
}

/** Bodies up to this size do not count against the budget. */
const SMALL_BYTES = 16 * 1024

/**
 * Returns a reader of bodies.
 * @param budgetBytes the maximum total size of the large bodies that are being read or were not released yet
 */
export function createBodyReader({ mostBytes, budgetBytes }: { mostBytes: number; budgetBytes: number }): BodyReader {
  let held = 0
  return {
    mostBytes,
    read(request, taker) {
      let chunks: Buffer[] | undefined = []
      let size = 0
      let counted = 0
      let isWhole = false
      const release = () => {
        held -= counted
        counted = 0
      }
      request.on('data', (chunk: Buffer) => {
        if (!chunks) return
        size += chunk.length
        chunks.push(chunk)
        if (size <= SMALL_BYTES) return
        // An incomplete body is released when the connection closes. A complete body is released when the taker calls `release`.
        if (counted === 0) request.once('close', () => isWhole || release())
        held += size - counted
        counted = size
        const status = size > mostBytes ? 413 : held > budgetBytes ? 503 : undefined
        if (status === undefined) return
        chunks = undefined
        release()
        taker.refused(status)
      })
      request.on('end', () => {
        if (!chunks) return
        isWhole = true
        const [first] = chunks
        taker.whole(chunks.length === 1 && first ? first : Buffer.concat(chunks), release)
      })
    },
  }
}
