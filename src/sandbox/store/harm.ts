import type { EndpointName } from '../../contract/endpoints.ts'

/** The download behind a report link: a place for faults that is not an endpoint. */
export const DOWNLOAD = 'download'

/** A fault for every endpoint. The download is not one. */
export const EVERY = 'any'

/** Where a fault can meet a request. */
export type FaultPlace = EndpointName | typeof DOWNLOAD

/** What goes wrong with a request. What is null (or false, or 0) does not happen. */
export interface Harm {
  /** Time, in ms, before anything else happens. */
  delayMs: number
  /** Answered instead of doing the work. */
  status: number | null
  /** The `ERR_…` of that answer. */
  code: string | null
  /** Seconds in `Retry-After`. */
  retryAfter: number | null
  /** The connection is cut without an answer. */
  cut: boolean
  /** With `cut`: the request is lost before the service did its work; otherwise the answer is lost after it. */
  before: boolean
  /** The connection is cut after this many bytes of the answer's body. */
  truncate: number | null
}
