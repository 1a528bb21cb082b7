import type { EndpointName } from '../../contract/endpoints.ts'

/** The download behind a report link: a place for faults that is not an endpoint. */
export const DOWNLOAD = 'download'

/** The place for every endpoint. The download is not an endpoint. */
export const EVERY = 'any'

/** The places at which a fault can apply to a request. */
export type FaultPlace = EndpointName | typeof DOWNLOAD

/** The effects of a fault on a request. A field that is null, false or 0 has no effect. */
export interface Harm {
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
