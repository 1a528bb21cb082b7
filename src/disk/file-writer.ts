import { close, fdatasync, fsync, ftruncateSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

/** After this many new bytes, the file is flushed to the disk in the background, so that `sync` at the end takes little time. */
const FLUSH_BYTES = 32 * 1024 * 1024

/** Writes pieces to a file as soon as they arrive, in this thread. */
export class FileWriter {
  readonly #fd: number
  #position = 0
  #flushed = 0
  #flushing: Promise<void> | undefined
  #flushFailure: unknown
  #open = true

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Writes a piece. If the disk is nearly full, one `writeSync` may write only a part, and the next one then fails with the reason. */
  take(chunk: Uint8Array): void {
    let from = 0
    while (from < chunk.length) from += writeSync(this.#fd, chunk, from, chunk.length - from, this.#position + from)
    this.#position += from
    if (this.#position - this.#flushed >= FLUSH_BYTES) this.#flush()
  }

  restart(): void {
    if (this.#position > 0) ftruncateSync(this.#fd, 0)
    this.#position = 0
    this.#flushed = 0
  }

  get bytes(): number {
    return this.#position
  }

  /** Resolves when every byte is on the disk. */
  async sync(): Promise<void> {
    await this.#flushing
    if (this.#flushFailure !== undefined) throw this.#flushFailure
    await promisify(fsync)(this.#fd)
  }

  async close(): Promise<void> {
    await this.#flushing
    if (!this.#open) return
    this.#open = false
    await promisify(close)(this.#fd)
  }

  /** A failure is stored until `sync` throws it, because `take` does not wait for the disk. */
  #flush(): void {
    if (this.#flushing !== undefined) return
    this.#flushed = this.#position
    this.#flushing = promisify(fdatasync)(this.#fd)
      .catch((error: unknown) => {
        this.#flushFailure = error
      })
      .finally(() => {
        this.#flushing = undefined
      })
  }
}
