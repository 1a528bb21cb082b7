import type { EndpointName, KeyedEndpoint, Params, RequestBody, ResponseData } from '../../../contract/endpoints.ts'
import type { WireRequest, WireResponse } from '../../../contract/wire.ts'
import type { PartnerRow } from '../../store/tables.ts'
import type { Service } from '../service.ts'

/** A request to an endpoint that takes a key, after its key and its limit were checked. */
export interface KeyedCall<N extends KeyedEndpoint> {
  params: Params<N>
  /** Who sent it. */
  partner: PartnerRow
  /** The sandbox's time, in ms. */
  now: number
  request: WireRequest
  /** Keeps the caller waiting, by the machine's time. The work is done even if the caller leaves. @param ms how long */
  wait(ms: number): Promise<void>
}

/** Answers the requests to an endpoint that takes a key. */
interface KeyedHandler<N extends KeyedEndpoint> {
  /** Refuses partners for whom the endpoint does not exist, whatever they send: called before the body is read. */
  admit?(partner: PartnerRow): void
  /** Returns the `data` of the success, or throws a `Refusal`. */
  answer(call: KeyedCall<N> & { body: RequestBody<N> }, service: Service): Promise<ResponseData<N>>
  /** Notes that a complete answer is sent. */
  afterwards?(call: KeyedCall<N>, service: Service): Promise<void>
}

/** Answers the requests to an endpoint without a key. Throws a `Refusal`. */
interface OpenHandler<N extends EndpointName> {
  answer(call: { params: Params<N>; now: number }, service: Service): Promise<WireResponse>
}

/** A handler for every endpoint that takes a key. */
export type KeyedHandlers = { readonly [N in KeyedEndpoint]: KeyedHandler<N> }

/** A handler for every endpoint of the contract. */
export interface Handlers {
  keyed: KeyedHandlers
  open: { readonly [N in Exclude<EndpointName, KeyedEndpoint>]: OpenHandler<N> }
}
