import type { IncomingMessage } from 'node:http'

/** Receives a body. Only one of the two functions is called, and only once. */
interface BodyTaker {
  /** Called with the whole body. @param release returns the body's share of the memory budget; call it when the body is no longer needed */
  whole(body: Buffer, release: () => void): void
  /**
   * Called when the body is larger than allowed (413), or when the memory budget has no room for it (503). The rest of the body is dropped.
   */
  refused(status: 413 | 503): void
}

/** Reads the bodies of a server. Each body has a size limit, and all bodies in memory share a budget. */
export interface BodyReader {
  readonly mostBytes: number
  /** Whether the budget is used up. If it is, a request can be refused before its body is read. */
  isSpent(): boolean
  /** Reads a body. If the connection ends early, neither function is called. */
  read(request: IncomingMessage, taker: BodyTaker): void
}

/** Bodies up to this size do not count against the budget. */
const SMALL_BYTES = 16 * 1024

/** @param budgetBytes the maximum total size of the large bodies that are being read or were not released yet */
export function createBodyReader({ mostBytes, budgetBytes }: { mostBytes: number; budgetBytes: number }): BodyReader {
  /** Bytes of large bodies that are in memory now. */
  let held = 0
  return {
    mostBytes,
    isSpent: () => held > budgetBytes,
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
        // An incomplete body returns its share of the budget at once. A complete body keeps its share until it is released.
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
