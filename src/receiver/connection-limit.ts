import { readFileSync } from 'node:fs'

/** Files a process of ours has open besides its connections: streams, the database, its log, the event loop's own. */
const OWN_FILES = 32

/** Fewer connections than this are not enough for a burst of deliveries. */
export const ENOUGH_CONNECTIONS = 512

/** How many connections this process can have open at once, by its limit of open files. @returns undefined where nobody knows */
export function connectionLimit(limitsFile = '/proc/self/limits'): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1]
    return soft === undefined ? undefined : Math.max(0, Number(soft) - OWN_FILES)
  } catch {
    return undefined
  }
}
