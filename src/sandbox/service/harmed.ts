import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import type { Clock } from '../../domain/clock.ts'
import { takeFault } from '../store/faults.ts'
import type { Store } from '../store/store.ts'
import { type FaultPlace, type Harm, inject } from './faults.ts'

/** Answers a call, or lets the fault that is armed for its place have it; `onHarm` is told then. */
export type Harmed = (
  place: FaultPlace | undefined,
  request: WireRequest,
  work: () => Promise<WireResponse>,
  onHarm?: (harm: Harm) => void,
) => Promise<WireResponse>

/** @param sleep the machine's own: a delay is felt, whatever the sandbox's clock says */
export function createHarmed(store: Store, sleep: Clock['sleep']): Harmed {
  return async (place, request, work, onHarm) => {
    const harm = place && (await takeFault(store, place))
    if (harm) onHarm?.(harm)
    return place && harm ? inject(harm, place, request, sleep, work) : work()
  }
}
