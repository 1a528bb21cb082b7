import type { Spool } from '../../client/fetch-pdf.ts'
import { BnplError } from '../../errors.ts'

/** The largest report that goes to a pipe: it is held until it was checked, since what went down a pipe cannot be taken back. */
const MAX_HELD_BYTES = 64 * 1024 * 1024

/** Holds a report in memory. Throws `service` for one that is too large to be held. */
export class MemorySpool implements Spool {
  #chunks: Uint8Array[] = []
  #size = 0

  async restart(): Promise<void> {
    this.#chunks = []
    this.#size = 0
  }

  take(chunk: Uint8Array): void {
    this.#size += chunk.length
    if (this.#size > MAX_HELD_BYTES)
      throw new BnplError(
        'service',
        `the report is larger than ${MAX_HELD_BYTES / 1024 ** 2} MiB, too large for a pipe`,
        {
          code: 'TOO_LARGE_FOR_PIPE',
          hint: 'Nothing was written. Save it to a file: --out FILE',
        },
      )
    this.#chunks.push(Buffer.from(chunk))
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
