import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes for short-lived objects. More bytes bring no speed, and by default V8 would take 128 MB. */
const YOUNG_BYTES = 32 * 1024 * 1024

/** Limits the memory that V8 gives to short-lived objects (`World.boundMemory`). @returns a function that ends the watch */
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
