interface Ticks {
  unref(): void
  stop(): Promise<void>
}

/** Starts `tick` every `ms` milliseconds, except while the previous `tick` is still running. @param tick must not throw */
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
