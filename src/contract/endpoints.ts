import * as z from 'zod/mini'
import type { Call, Endpoint } from './calls/call.ts'
import { CALLS } from './calls/calls.ts'
import { SHAPES } from './shapes.ts'

export type EndpointName = keyof typeof CALLS
type Of<N extends EndpointName> = (typeof CALLS)[N]
type SchemasOf<N extends EndpointName> = ReturnType<Of<N>['schemas']>

/** The endpoints that need a key and answer with `data`: all except the one that opens a report by its link. */
export type KeyedEndpoint = {
  [N in EndpointName]: Of<N>['auth'] extends 'key' ? N : never
}[EndpointName]

/** The names of an endpoint's path parameters, in the order of the path. */
export type ParamNames<N extends EndpointName> = Of<N>['params']

/** The path parameters of an endpoint, each required. */
export type Params<N extends EndpointName> = Record<ParamNames<N>[number], string>

/** The typed body of an endpoint's request; an empty object if it has no body. */
export type RequestBody<N extends EndpointName> =
  SchemasOf<N> extends { request: infer Body extends z.ZodMiniType<object> } ? z.output<Body> : Record<never, never>

/** The typed `data` of an endpoint's successful answer, with every other field as sent. */
export type ResponseData<N extends EndpointName> = z.output<SchemasOf<N>['data']>

/** The names of all endpoints, in the order in which help and documents show them. */
export const ENDPOINT_NAMES = Object.keys(CALLS) as readonly EndpointName[]

/** The names of the endpoints that need a key. */
export const KEYED_ENDPOINTS = ENDPOINT_NAMES.filter((name): name is KeyedEndpoint => CALLS[name].auth === 'key')

/** Every endpoint of the specification, with its schemas. */
export const ENDPOINTS = Object.fromEntries(
  Object.entries<Call>(CALLS).map(([name, { schemas, ...call }]) => [name, { ...call, ...schemas(SHAPES) }]),
) as Record<EndpointName, Endpoint>

/** An endpoint by name. */
export function endpointOf(name: EndpointName): Endpoint {
  return ENDPOINTS[name]
}

/** Whether the body of an endpoint's request has fields. */
export function hasFields({ request }: Endpoint): boolean {
  return request instanceof z.ZodMiniObject && Object.keys(request.shape).length > 0
}

/** The paths that a service uses where the specification shows none (gap 14), by the name of the setting. */
export type OwnPaths = Readonly<Record<string, string | undefined>>

/**
 * Returns the endpoint for a method and a path (both as they are on the wire), with its decoded parameters. If several paths match, the one
 * with the most fixed segments is used.
 * @returns undefined when no endpoint matches
 */
export function matchEndpoint(
  method: string,
  path: string,
  paths: OwnPaths = {},
): { name: EndpointName; params: Record<string, string> } | undefined {
  const segments = path.split('/')
  let best: { name: EndpointName; params: Record<string, string>; literals: number } | undefined
  for (const name of ENDPOINT_NAMES) {
    const candidate = endpointOf(name)
    if (candidate.method !== method) continue
    const template = (paths[candidate.pathSetting ?? ''] ?? candidate.path).split('/')
    const params = matchPath(template, segments)
    const literals = template.filter((part) => !part.startsWith('{')).length
    if (params && (best === undefined || literals > best.literals)) best = { name, params, literals }
  }
  return best && { name: best.name, params: best.params }
}

function matchPath(template: string[], segments: string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of template.entries()) {
    const segment = segments[i] ?? ''
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined
      continue
    }
    try {
      params[part.slice(1, -1)] = decodeURIComponent(segment)
    } catch {
      return undefined
    }
    if (segment === '') return undefined
  }
  return params
}

/** The loan of a verified transaction. Amounts are whole currency units, the rate is a decimal fraction, dates are YYYY-MM-DD. */
export type Loan = ResponseData<'verifyLoan'>
