import type { EndpointName } from '../../contract/endpoints.ts'
import { FAULT_KIND_NAMES, type FaultSort, faultKind, type HarmKind } from '../../domain/sandbox-faults.ts'

/** The name of the download by a report link. Faults can apply to it although it is not an endpoint. */
export const DOWNLOAD = 'download'

/** The place of faults in deliveries of events. A fault counts a delivery when it is queued for a destination. */
export const DELIVERY = 'delivery'

/** The place of faults on the payment page. A fault counts a payment when the customer decides. */
export const PAGE_VISIT = 'page'

/** The name for every endpoint. It does not include downloads, deliveries and the page. */
export const EVERY = 'any'

/** Where a fault can apply to a call. */
export type CallPlace = EndpointName | typeof DOWNLOAD

/** Where a fault can apply at all. */
export type FaultPlace = CallPlace | typeof DELIVERY | typeof PAGE_VISIT

/** The sort of fault that can apply at a place. */
export const sortOfPlace = (place: FaultPlace | typeof EVERY): FaultSort =>
  place === DELIVERY || place === PAGE_VISIT ? place : 'call'

/** The kinds of faults that can apply at a place. */
export const kindsAt = (place: FaultPlace | typeof EVERY): HarmKind[] =>
  FAULT_KIND_NAMES.filter((name) => faultKind(name).at === sortOfPlace(place))

/** What a fault does to a request. A field that is null, false or 0 has no effect. */
export interface Harm {
  /** What the fault does in addition to the other fields; null for a fault that has only the other fields. */
  kind: HarmKind | null
  /** The delay before any other effect, in ms. */
  delayMs: number
  /** The status that is answered instead of doing the work. */
  status: number | null
  /** The `ERR_…` code of that answer. */
  code: string | null
  /** Seconds in `Retry-After`. */
  retryAfter: number | null
  /** Whether the connection is closed without an answer. */
  cut: boolean
  /** With `cut`: true if the request is lost before the work, false if the answer is lost after the work. */
  before: boolean
  /** The connection is closed after this many bytes of the answer's body. */
  truncate: number | null
}

/** A harm that an older sandbox wrote, with the fields added that it did not know. */
export const completeHarm = (kept: Omit<Harm, 'kind'> & Partial<Pick<Harm, 'kind'>>): Harm => ({ kind: null, ...kept })
