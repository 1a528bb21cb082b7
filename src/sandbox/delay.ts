import { WireFault, type WireRequest } from '../contract/wire.ts'
import type { Clock } from '../domain/clock.ts'

/** Keeps a caller waiting, at most as long as the caller does. Throws `WireFault` when its time is over or it went away. @param ms how long */
export async function delay(
  sleep: Clock['sleep'],
  ms: number,
  request: Pick<WireRequest, 'timeoutMs' | 'signal'>,
): Promise<void> {
  try {
    await sleep(Math.min(ms, request.timeoutMs), request.signal)
  } catch (error) {
    throw new WireFault('aborted', true, 'interrupted', error)
  }
  if (ms >= request.timeoutMs) throw new WireFault('timeout', true, `no whole answer within ${request.timeoutMs} ms`)
}
