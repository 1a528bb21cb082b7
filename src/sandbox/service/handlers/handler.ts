import type { EndpointName, KeyedEndpoint, Params, RequestBody, ResponseData } from '../../../contract/endpoints.ts'
import type { WireRequest, WireResponse } from '../../../contract/wire.ts'
import type { Environment } from '../../conventions.ts'
import type { PartnerRow } from '../../store/tables.ts'
import type { Service } from '../service.ts'

export interface KeyedCall<N extends KeyedEndpoint> {
  params: Params<N>
  partner: PartnerRow
  /** The sandbox's time, in ms since 1970. */
  now: number
  request: WireRequest
  /** Delays the answer, in real time. The request is processed even if the caller stops waiting. */
  wait(ms: number): Promise<void>
}

interface KeyedHandler<N extends KeyedEndpoint> {
  /**
   * Refuses partners who may not use the endpoint, whatever they send. Called before the path and the body are read, because no other values
   * would help these partners.
   */
  admit?(partner: PartnerRow): void
  answer(call: KeyedCall<N> & { body: RequestBody<N> }, service: Service): Promise<ResponseData<N>>
  /** Called after the request was processed, but only if the caller gets a complete answer. */
  afterwards?(call: KeyedCall<N>, service: Service): void
}

interface OpenHandler<N extends EndpointName> {
  answer(call: { params: Params<N>; environment: Environment; now: number }, service: Service): Promise<WireResponse>
}

export type KeyedHandlers = { readonly [N in KeyedEndpoint]: KeyedHandler<N> }

export interface Handlers {
  keyed: KeyedHandlers
  open: { readonly [N in Exclude<EndpointName, KeyedEndpoint>]: OpenHandler<N> }
}
