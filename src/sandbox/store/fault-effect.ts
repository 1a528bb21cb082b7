import { ENDPOINT_NAMES, type EndpointName } from '../../contract/endpoints.ts'
import { FAULT_KIND_NAMES, type FaultSort, faultKind, type SimulatedFaultKind } from '../../domain/sandbox-faults.ts'

/** The place name for simulated faults in downloads of reports. */
export const DOWNLOAD = 'download'

/** The place name for simulated faults in deliveries. A fault's `skip` and `times` count deliveries when they are queued. */
export const DELIVERY = 'delivery'

/** The place name for simulated faults on the payment page. A fault's `skip` and `times` count the customer's decisions. */
export const PAGE_VISIT = 'page'

/** The place name for simulated faults that apply to every endpoint, but not to downloads, deliveries or the payment page. */
export const EVERY = 'any'

export type CallPlace = EndpointName | typeof DOWNLOAD

export type FaultPlace = CallPlace | typeof DELIVERY | typeof PAGE_VISIT

/** The names of all places at which a fault can be added. */
export const FAULT_PLACES: readonly (FaultPlace | typeof EVERY)[] = [
  ...ENDPOINT_NAMES,
  DOWNLOAD,
  EVERY,
  DELIVERY,
  PAGE_VISIT,
]

/** Returns the sort of fault that can apply at a place. */
export const sortOfPlace = (place: FaultPlace | typeof EVERY): FaultSort =>
  place === DELIVERY || place === PAGE_VISIT ? place : 'call'

/** Returns the kinds of faults that can apply at a place. */
export const kindsAt = (place: FaultPlace | typeof EVERY): SimulatedFaultKind[] =>
  FAULT_KIND_NAMES.filter((name) => faultKind(name).at === sortOfPlace(place))

/** What a simulated fault does to a request. A field that is null or false has no effect. */
export interface FaultEffect {
  kind: SimulatedFaultKind | null
  /** The delay before any other effect, in ms; 0 for no delay. */
  delayMs: number
  /** The status with which the request is answered instead of being processed. */
  status: number | null
  code: string | null
  /** The value of `Retry-After`, in seconds. */
  retryAfter: number | null
  cut: boolean
  /** With `cut`: true if the request is lost before it is processed, false if the answer is lost afterwards. */
  before: boolean
  /** The connection is closed after this many bytes of the answer's body. */
  truncate: number | null
}

/** Returns a stored fault with all its fields, because older versions stored fewer fields. */
export const completeEffect = (kept: Omit<FaultEffect, 'kind'> & Partial<Pick<FaultEffect, 'kind'>>): FaultEffect => ({
  kind: null,
  ...kept,
})
