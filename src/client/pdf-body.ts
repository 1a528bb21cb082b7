import { createHash } from 'node:crypto'

/** How the end of a body is marked. With `close`, the connection just ends, so a body that was cut off may look complete. */
export type Framing = 'length' | 'chunked' | 'close'

/** A `cut` body may be complete at the next attempt. A `foreign` body is not a report. */
export interface PdfProblem {
  kind: 'cut' | 'foreign'
  reason: string
}

/** How many bytes at the end of a PDF are searched for the end mark. PDF readers search as many. */
const TAIL_BYTES = 1024
const MAGIC = '%PDF-'
const END_MARK = '%%EOF'

/** Measures a body as it arrives: its size, its SHA-256, and whether it is a complete PDF. Only the first and last bytes are kept. */
export class PdfBody {
  bytes = 0
  readonly #hash = createHash('sha256')
  #start = Buffer.alloc(0)
  #tail = Buffer.alloc(0)

  take(chunk: Uint8Array): void {
    this.bytes += chunk.length
    this.#hash.update(chunk)
    if (this.#start.length < MAGIC.length)
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, MAGIC.length - this.#start.length)])
    // Copy the bytes, because the caller may overwrite the chunk after this function returns.
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
  }

  /** Returns the SHA-256 in lower-case hex. Call this once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  problem(framing: Framing, declared: number | undefined): PdfProblem | undefined {
    if (declared !== undefined && declared !== this.bytes)
      return { kind: 'cut', reason: `${this.bytes} of ${declared} bytes arrived` }
    if (this.bytes === 0) return { kind: framing === 'close' ? 'cut' : 'foreign', reason: 'the file is empty' }
    const start = this.#start.toString('latin1')
    if (!MAGIC.startsWith(start) || (start.length < MAGIC.length && framing !== 'close'))
      return { kind: 'foreign', reason: 'the file does not start like a PDF' }
    const tail = this.#tail.toString('latin1')
    // With `close`, a body that was cut off may still contain the end mark of an earlier revision of the PDF. So the mark must come last.
    const ended = framing === 'close' ? tail.trimEnd().endsWith(END_MARK) : tail.includes(END_MARK)
    if (ended) return undefined
    return { kind: framing === 'close' ? 'cut' : 'foreign', reason: `the end mark of a PDF (${END_MARK}) is missing` }
  }
}
