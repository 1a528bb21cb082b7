import * as z from 'zod/mini'
import type { Call, Endpoint } from './calls/call.ts'
import { CALLS } from './calls/calls.ts'
import { type FieldName, isYes, type ServiceDescription } from './description.ts'
import { SHAPES } from './shapes.ts'

export type EndpointName = keyof typeof CALLS
type Of<N extends EndpointName> = (typeof CALLS)[N]
type SchemasOf<N extends EndpointName> = ReturnType<Of<N>['schemas']>

export type KeyedEndpoint = {
  [N in EndpointName]: Of<N>['auth'] extends 'key' ? N : never
}[EndpointName]

type PathParams<N extends EndpointName> = Of<N>['params']

export type Params<N extends EndpointName> = Record<PathParams<N>[number]['name'], string>

/** The body of an endpoint's request; an empty object if the endpoint has none. */
export type RequestBody<N extends EndpointName> =
  SchemasOf<N> extends { request: infer Body extends z.ZodMiniType<object> } ? z.output<Body> : Record<never, never>

/** The `data` of an endpoint's successful answer. Fields that the schema does not name are kept as sent. */
export type ResponseData<N extends EndpointName> = z.output<SchemasOf<N>['data']>

export const ENDPOINT_NAMES = Object.keys(CALLS) as readonly EndpointName[]

export const KEYED_ENDPOINTS = ENDPOINT_NAMES.filter((name): name is KeyedEndpoint => CALLS[name].auth === 'key')

export const ENDPOINTS = Object.fromEntries(
  Object.entries<Call>(CALLS).map(([name, { schemas, ...call }]) => [name, { ...call, ...schemas(SHAPES) }]),
) as Record<EndpointName, Endpoint>

export function endpointOf(name: EndpointName): Endpoint {
  return ENDPOINTS[name]
}

/** Returns the names of the fields of a call's answer, in the order of the contract. */
export const fieldsOf = (name: EndpointName): string[] => schemasOf(name).map(([field]) => field)

/** Returns the names of those fields whose values are neither lists nor objects. */
export const plainFieldsOf = (name: EndpointName): string[] =>
  schemasOf(name)
    .filter(([, schema]) => isPlain(schema))
    .map(([field]) => field)

function schemasOf(name: EndpointName): [field: string, schema: unknown][] {
  const { data } = endpointOf(name)
  return data instanceof z.ZodMiniObject ? Object.entries(data.shape) : []
}

function isPlain(schema: unknown): boolean {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return isPlain(schema._zod.def.innerType)
  return !(schema instanceof z.ZodMiniArray || schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniUnknown)
}

/** Returns a call without the fields that a service does not know (`published` of a call). */
export function ofService(endpoint: Endpoint, service: ServiceDescription): Endpoint {
  const { request, data, published } = endpoint
  if (published === undefined) return endpoint
  const known = <Schema>(schema: Schema, fields: Readonly<Record<string, FieldName>> = {}): Schema => {
    const unknown = Object.keys(fields).filter((name) => !isYes(service, fields[name] as FieldName))
    return unknown.length > 0 && schema instanceof z.ZodMiniObject
      ? (z.omit(schema, Object.fromEntries(unknown.map((name) => [name, true])) as never) as Schema)
      : schema
  }
  const own = known(request, published.request)
  return { ...endpoint, ...(own && { request: own }), data: known(data, published.answer) }
}

/** The paths of the calls for which the specification shows no path (gap 14). The keys are names of settings, such as `paths.leads`. */
export type OwnPaths = Readonly<Record<string, string | undefined>>

/**
 * Returns the endpoint for an encoded path, and its decoded parameters; undefined if no endpoint matches. If several match, the path with
 * the most fixed segments is used.
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
