import type { EndpointName, Params, RequestBody, ResponseData } from '../../../contract/endpoints.ts'
import type { WireRequest } from '../../../contract/wire.ts'
import type { PartnerRow } from '../../store/tables.ts'
import type { Service } from '../service.ts'

/** One call, authenticated and checked. */
export interface Call<N extends EndpointName> {
  params: Params<N>
  body: RequestBody<N>
  /** Who calls. */
  partner: PartnerRow
  /** The sandbox's time, ms. */
  now: number
  request: WireRequest
}

/** Answers a call with the `data` of its success, or throws a `Refusal`. */
export type Handler<N extends EndpointName> = (call: Call<N>, service: Service) => Promise<ResponseData<N>>
