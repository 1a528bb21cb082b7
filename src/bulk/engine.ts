import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** The size in bytes at which V8's memory for short-lived objects must stop growing in a run over a file. */
const YOUNG_BYTES = 16 * 1024 * 1024

/**
 * Keeps V8's memory for short-lived objects near a size, by checking it from time to time until it has this size. With 16 MiB, a run over
 * 60,000 rows needs 131 MiB, and otherwise 211 MiB without being faster. A sandbox answers as fast with the 4 MiB that it has at its start
 * as with 16 MiB.
 * @param bytes the size; 0 for the present size, which is not checked
 * @returns a function that ends the checks
 */
export function boundYoungMemory(bytes = YOUNG_BYTES): () => void {
  const bound = () => {
    if (youngBytes() < bytes) return
    // With a factor of 1, V8 does not enlarge this memory any more.
    setFlagsFromString('--semi-space-growth-factor=1')
    clearInterval(watch)
  }
  const watch = setInterval(bound, 50)
  watch.unref()
  bound()
  return () => clearInterval(watch)
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0
}

/** Up to this many rows, a run is faster if V8 does not compile its functions a second time (measured on two cores: 8 % for 5,000 rows, 0 for 10,000). */
const SHORT_RUN_ROWS = 10_000

/** Turns V8's second compiler off for the rest of the program if so few rows follow that its work would cost more than it saves. */
export function compileForRows(rows: number): void {
  if (rows <= SHORT_RUN_ROWS) setFlagsFromString('--no-opt')
}
