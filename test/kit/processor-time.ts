import { readFileSync } from 'node:fs'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time that a test file has used, if it was measured. */
    processorMs?: number
  }
}

/** How often the clock ticks that Linux counts the time of a process in. */
const TICK_MS = 10

/**
 * Returns the processor time, in ms, of this process and of every process that it started and that has ended, with theirs. It is 0 where
 * the system does not report it.
 */
export function processorMs(): number {
  if (process.platform !== 'linux') return 0
  // The second field is the name of the program, in brackets, and may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number)
  return TICK_MS * ((utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0))
}
