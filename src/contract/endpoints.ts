import type * as z from 'zod/mini'
import type { CALLS } from './calls/calls.ts'
import type { Endpoint } from './endpoint.ts'
import { evaluationByLead, evaluationByRut, getLead, listLeads } from './evaluation.ts'
import { getInforme, openInforme } from './informe.ts'
import { verifyLoan } from './loan.ts'
import { evaluate, select, startWidget } from './pre-loan-request.ts'
import { deleteWebhook, listWebhooks, registerWebhook, subscribeWebhook } from './webhook.ts'

/** Every endpoint of the specification, with its schemas. */
export const ENDPOINTS = {
  evaluate,
  select,
  startWidget,
  verifyLoan,
  registerWebhook,
  subscribeWebhook,
  listWebhooks,
  deleteWebhook,
  getInforme,
  openInforme,
  evaluationByRut,
  evaluationByLead,
  listLeads,
  getLead,
} as const satisfies Record<keyof typeof CALLS, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS
type Of<N extends EndpointName> = (typeof ENDPOINTS)[N]

/** The path parameters of an endpoint, each required. */
export type Params<N extends EndpointName> = Record<Of<N>['params'][number], string>

/** The typed body of an endpoint's request; an empty object where it sends none. */
export type RequestBody<N extends EndpointName> = Of<N>['request'] extends z.ZodMiniType
  ? z.output<Of<N>['request']>
  : Record<never, never>

/** The typed `data` of an endpoint's successful answer, with every other field as sent. */
export type ResponseData<N extends EndpointName> = z.output<Of<N>['data']>

/** An endpoint by name, without its literal types, for code that treats all alike. */
export function endpointOf(name: EndpointName): Endpoint {
  return ENDPOINTS[name]
}

/**
 * The endpoint that answers a method and a path (both as on the wire), with its decoded parameters.
 * A literal segment wins over a parameter. @returns undefined when none does
 */
export function matchEndpoint(
  method: string,
  path: string,
): { name: EndpointName; params: Record<string, string> } | undefined {
  const segments = path.split('/')
  let best: { name: EndpointName; params: Record<string, string>; literals: number } | undefined
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const candidate = endpointOf(name)
    if (candidate.method !== method) continue
    const params = matchPath(candidate.path.split('/'), segments)
    const literals = candidate.path.split('/').filter((part) => !part.startsWith('{')).length
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
