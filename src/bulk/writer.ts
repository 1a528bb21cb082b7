import { setImmediate } from 'node:timers/promises'
import { createOrder } from './order.ts'

/** Takes finished rows in any order and writes them in the order of the file, one batch at a time. */
export interface Writer<T> {
  /** Resolves when the row at a position (0, 1, 2 …) may be begun; undefined: at once. Bounds the rows that wait for an earlier one. */
  room(position: number): Promise<void> | undefined
  /** Gives the row at a position; undefined where there is nothing to write. */
  put(position: number, row: T | undefined): void
  /** Wakes everybody who waits for room: nothing new is begun. */
  release(): void
  /** Writes what is left, also behind rows that were never given. */
  end(): Promise<void>
}

/**
 * @param window rows that may be begun beyond the oldest unfinished one
 * @param write after it failed once, it is not called again
 * @param onFailure is given the error of `write`; must call `release`
 */
export function createWriter<T>(
  window: number,
  write: (rows: T[]) => Promise<void>,
  onFailure: (error: unknown) => void,
): Writer<T> {
  const order = createOrder<T>(window)
  let writing: Promise<void> | undefined
  let failed = false

  const writeNow = async (rows: T[]) => {
    if (failed) return
    try {
      await write(rows)
    } catch (error) {
      failed = true
      onFailure(error)
    }
  }
  const writeReady = async () => {
    // Rows that end in one turn of the event loop are written together.
    await setImmediate()
    for (let rows = order.take(); rows.length > 0; rows = order.take()) await writeNow(rows)
    // In the same step as the last look into the order: a row that is given from here on starts a new writer. One step later, a row
    // given in between would be written by nobody, and the workers would wait for room for ever.
    writing = undefined
  }

  return {
    room: order.room,
    put(position, row) {
      order.put(position, row)
      writing ??= writeReady()
    },
    release: order.release,
    async end() {
      while (writing) await writing
      await writeNow(order.rest())
    },
  }
}
