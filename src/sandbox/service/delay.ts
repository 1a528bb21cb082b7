import { WireFault, type WireRequest } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'

/** Who waits, and how long. */
export type Caller = Pick<WireRequest, 'timeoutMs' | 'signal'>

/**
 * Keeps a caller waiting, at most as long as the caller does. Throws `WireFault` when its time is over or it went away.
 * @param ms how long
 */
export async function delay(sleep: Clock['sleep'], ms: number, caller: Caller): Promise<void> {
  try {
    await sleep(Math.min(ms, caller.timeoutMs), caller.signal)
  } catch (error) {
    throw new WireFault('aborted', true, 'interrupted', error)
  }
  if (ms >= caller.timeoutMs) throw new WireFault('timeout', true, `no whole answer within ${caller.timeoutMs} ms`)
}
