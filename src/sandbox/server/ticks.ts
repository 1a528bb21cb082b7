/** Something that is done again and again. */
interface Ticks {
  /** Lets the process end although it goes on. */
  unref(): void
  /** Ends it. Resolves when the tick under way is over. */
  stop(): Promise<void>
}

/** Does something every so often, never twice at once. @param tick must not throw */
export function tickEvery(ms: number, tick: () => Promise<void>): Ticks {
  let working: Promise<void> | undefined
  const timer = setInterval(() => {
    working ??= tick().finally(() => {
      working = undefined
    })
  }, ms)
  return {
    unref: () => void timer.unref(),
    async stop() {
      clearInterval(timer)
      await working
    },
  }
}
