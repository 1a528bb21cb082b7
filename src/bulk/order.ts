/** Puts what is finished in any order back into the order it was begun in. */
export interface Order<T> {
  /** Gives the item of a position (0, 1, 2 …) that is finished; undefined where there is none to show. */
  put(position: number, item: T | undefined): void
  /** Resolves when the next position may be begun: what waits for an earlier one stays bounded. */
  room(position: number): Promise<void>
  /** Lets everybody go on: nothing new is begun any more. */
  release(): void
  /** Takes everything that is in order now. */
  take(): T[]
  /** Takes what is left, gaps skipped. */
  rest(): T[]
}

/** @param window positions that may be begun beyond the oldest one that is not finished */
export function createOrder<T>(window: number): Order<T> {
  const items = new Map<number, T | undefined>()
  let next = 0
  let waiting: (() => void)[] = []
  let released = false
  const wakeAll = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  return {
    put(position, item) {
      items.set(position, item)
    },
    async room(position) {
      while (!released && position >= next + window) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    release() {
      released = true
      wakeAll()
    },
    take() {
      const ready: T[] = []
      while (items.has(next)) {
        const item = items.get(next)
        items.delete(next++)
        if (item !== undefined) ready.push(item)
      }
      wakeAll()
      return ready
    },
    rest() {
      const left = [...items].sort(([a], [b]) => a - b).map(([, item]) => item)
      items.clear()
      return left.filter((item) => item !== undefined)
    },
  }
}
