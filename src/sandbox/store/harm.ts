import type { EndpointName } from '../../contract/endpoints.ts'
import { FAULT_KIND_NAMES, type FaultSort, faultKind, type HarmKind } from '../../domain/sandbox-faults.ts'

/** The download behind a report link: a place for faults that is not an endpoint. */
export const DOWNLOAD = 'download'

/** The deliveries of events, each counted when it is queued for a destination. */
export const DELIVERY = 'delivery'

/** The payments on the payment page, each counted when the customer decides. */
export const PAGE_VISIT = 'page'

/** The place for every endpoint, and for nothing else. */
export const EVERY = 'any'

/** The places at which a fault can apply to a call. */
export type CallPlace = EndpointName | typeof DOWNLOAD

/** The places at which a fault can apply. */
export type FaultPlace = CallPlace | typeof DELIVERY | typeof PAGE_VISIT

/** The sort of the faults at a place. */
export const sortOfPlace = (place: FaultPlace | typeof EVERY): FaultSort =>
  place === DELIVERY || place === PAGE_VISIT ? place : 'call'

/** The kinds of faults at a place. */
export const kindsAt = (place: FaultPlace | typeof EVERY): HarmKind[] =>
  FAULT_KIND_NAMES.filter((name) => faultKind(name).at === sortOfPlace(place))

/** The effects of a fault on a request. A field that is null, false or 0 has no effect. */
export interface Harm {
  /** What it does besides the effects of the other fields; null in a fault that has only these. */
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
  /** With `cut`: whether the request is lost before the work. Otherwise the answer is lost after it. */
  before: boolean
  /** The connection is closed after this many bytes of the answer's body. */
  truncate: number | null
}

/** A harm as an older sandbox wrote it, with the fields that came later. */
export const completeHarm = (kept: Omit<Harm, 'kind'> & Partial<Pick<Harm, 'kind'>>): Harm => ({ kind: null, ...kept })
