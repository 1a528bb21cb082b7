import { setImmediate } from 'node:timers/promises'

interface OrderedWriter<T> {
  /** Resolves when the row at a position (0, 1, 2 …) may be sent. Returns undefined if it may be sent now. */
  room(position: number): Promise<void> | undefined
  put(position: number, row: T | undefined): void
  /**
   * Ends every wait of `room`, so that no worker waits forever after a run was ended. From then on, `room` no longer means that a row may
   * be sent, and the caller must send no further row.
   */
  release(): void
  /** Writes all rows that were added and not yet written, even if a row before them is missing. */
  end(): Promise<void>
}

/**
 * Returns a writer that takes finished rows in any order and writes them in the order of the file, in batches.
 * @param window how many positions may be in progress: the oldest unfinished one and the `window - 1` after it
 * @param write not called again after it failed
 * @param onFailure gets the error of `write`, and must call `release`
 */
export function createOrderedWriter<T>(
  window: number,
  write: (rows: T[]) => Promise<void>,
  onFailure: (error: unknown) => void,
): OrderedWriter<T> {
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
    await setImmediate()
    for (let rows = order.take(); rows.length > 0; rows = order.take()) await writeNow(rows)
    // There must be no `await` between the last `order.take()` and this line. Otherwise a row that finishes in between would never be
    // written.
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

interface Order<T> {
  put(position: number, item: T | undefined): void
  room(position: number): Promise<void> | undefined
  release(): void
  take(): T[]
  rest(): T[]
}

/**
 * Returns a buffer that puts items into the order of their positions (0, 1, 2 …).
 * @param window how many positions may be in progress: the oldest unfinished one and the `window - 1` after it
 */
export function createOrder<T>(window: number): Order<T> {
  // `null` means that there is nothing to write, `undefined` that a position is unfinished. This is not a map, because a map would keep
  // removed items in memory until the next full garbage collection.
  const slots = new Array<T | null | undefined>(window).fill(undefined)
  let next = 0
  let waiting: (() => void)[] = []
  let released = false
  const wakeAll = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const isFull = (position: number) => !released && position >= next + window
  const wait = async (position: number) => {
    while (isFull(position)) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const takeNext = () => {
    const at = next++ % slots.length
    const item = slots[at]
    slots[at] = undefined
    return item
  }
  return {
    put(position, item) {
      slots[position % slots.length] = item ?? null
    },
    room: (position) => (isFull(position) ? wait(position) : undefined),
    release() {
      released = true
      wakeAll()
    },
    take() {
      const ready: T[] = []
      while (slots[next % slots.length] !== undefined) {
        const item = takeNext()
        if (item != null) ready.push(item)
      }
      if (waiting.length > 0) wakeAll()
      return ready
    },
    rest() {
      const left = slots.map(takeNext)
      return left.filter((item) => item != null)
    },
  }
}
