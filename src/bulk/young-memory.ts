import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Size of V8's memory for short-lived objects, in bytes. More would not make runs faster, but V8 would use 128 MB by default. */
const YOUNG_BYTES = 32 * 1024 * 1024

/** Stops the growth of V8's memory for short-lived objects at 32 MiB. Returns a function that ends the watching. */
export function boundYoungMemory(): () => void {
  const watch = setInterval(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    if ((young?.space_size ?? 0) < YOUNG_BYTES) return
    setFlagsFromString('--semi-space-growth-factor=1')
    clearInterval(watch)
  }, 50)
  watch.unref()
  return () => clearInterval(watch)
}
