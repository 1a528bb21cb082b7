import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** How many items are worked on at the same time. */
export interface Pace {
  /** The number at the beginning, and the smallest number. */
  least: number
  /** The largest number. It is reached only while the processors are idle. */
  most: number
}

/** A run in which the shop waits needs no processor. So another run is started when at least this share of the time is idle. */
const ROOM = 0.3

/** Below this idle share, a run that has ended is not replaced. */
const FULL = 0.05

const LOOK_MS = 150

/**
 * Does the work for every item. After a failure no more work is begun. Returns the first failure when the running work has ended; undefined
 * if all work was done.
 * @param idleShare returns the share of the time since the last call in which the processors had nothing to do, from 0 to 1
 */
export async function inParallel<Item>(
  items: readonly Item[],
  { least, most }: Pace,
  work: (item: Item) => Promise<void>,
  idleShare: () => number = createIdleMeter(),
): Promise<unknown> {
  const waiting = [...items]
  const failures: unknown[] = []
  const workers = new Set<Promise<void>>()
  let idle = 0
  const begin = () => {
    const worker = (async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        await work(item)
        if (workers.size > least && idle < FULL) return
      }
    })()
      .catch((failure: unknown) => {
        failures.push(failure)
        waiting.splice(0)
      })
      .finally(() => workers.delete(worker))
    workers.add(worker)
  }
  while (workers.size < least && waiting.length > 0) begin()
  const over = new AbortController()
  const watching = (async () => {
    while (most > least && waiting.length > 0) {
      await pause(LOOK_MS, undefined, { signal: over.signal })
      idle = idleShare()
      if (idle >= ROOM && workers.size < most && waiting.length > 0) begin()
    }
  })().catch(() => {})
  while (workers.size > 0) await Promise.race(workers)
  over.abort()
  await watching
  return failures[0]
}

/** Returns a function that measures the idle share of this machine's processors. It is 0 where the system does not tell their times. */
export function createIdleMeter(read: () => readonly { times: ReturnType<typeof cpus>[number]['times'] }[] = cpus) {
  const look = () => {
    const times = read().map((cpu) => cpu.times)
    const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0)
    return { all, idle: times.reduce((sum, each) => sum + each.idle, 0) }
  }
  let before = look()
  return (): number => {
    const now = look()
    const passed = now.all - before.all
    const share = passed > 0 ? (now.idle - before.idle) / passed : 0
    before = now
    return share
  }
}
