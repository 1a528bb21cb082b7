/** Puts what is finished in any order back into the order it was begun in. */
export interface Order<T> {
  /** Gives the item of a position (0, 1, 2 …) that has room; undefined when there is nothing to show. */
  put(position: number, item: T | undefined): void
  /** Resolves when a position may be begun, or after `release` (undefined: at once): what waits for an earlier one stays bounded. */
  room(position: number): Promise<void> | undefined
  /** Wakes everybody who waits for room. From here on a position without room must not be put. */
  release(): void
  /** Takes everything that is in order now. */
  take(): T[]
  /** Takes what is left, gaps skipped. */
  rest(): T[]
}

/** @param window positions that may be begun beyond the oldest unfinished one; 1 or more */
export function createOrder<T>(window: number): Order<T> {
  // A ring: `null` where there is nothing to show, `undefined` where a position is not finished. A map whose entries come and go
  // would leave its discarded tables behind, and with them, until the next full collection, everything that was ever in it.
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
