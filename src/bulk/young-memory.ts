import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Room for short-lived objects beyond which more of it buys nothing: V8 would let it grow to 128 MB. */
const YOUNG_BYTES = 32 * 1024 * 1024

/** Stops V8 from giving short-lived objects more and more room (`World.boundMemory`). @returns ends the watch */
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
