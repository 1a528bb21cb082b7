import { timerMs } from './clock.ts'

/** How late a timer may be in a process that is not busy, in ms. */
const HELD_UP_MS = 100

/** The extra time after a hold-up, in ms. An answer that has arrived may need several reads, or its sender may have to send a part again. */
const EXTRA_MS = 1000

interface Deadline {
  /** Starts the time again. */
  refresh(): void
  clear(): void
}

/**
 * Calls `late` when `ms` have passed and what arrived in this time was read. Node runs its timers before it reads from sockets. So after
 * a hold-up (the machine slept, the process was stopped, or its terminal blocked), a plain timer would give up an answer that has long
 * arrived.
 */
export function startDeadline(ms: number, late: () => void): Deadline {
  let started = performance.now()
  let extra: NodeJS.Timeout | undefined
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    const heldUpMs = performance.now() - started - ms
    if (heldUpMs > HELD_UP_MS) extra = setTimeout(late, EXTRA_MS)
    else turn = setImmediate(late)
  }, timerMs(ms))
  const clearEnd = () => {
    clearTimeout(extra)
    clearImmediate(turn)
  }
  return {
    clear() {
      clearTimeout(timer)
      clearEnd()
    },
    refresh() {
      clearEnd()
      started = performance.now()
      timer.refresh()
    },
  }
}
