import { type EndpointName, matchEndpoint } from '../../contract/endpoints.ts'
import { environmentOf } from '../addresses.ts'
import type { RequestRow } from '../store/tables.ts'

/** Returns the endpoint of a stored request, and the id of its transaction, lead, pre-approval or destination. */
export function subjectOf({ method, path, requestBody }: Pick<RequestRow, 'method' | 'path' | 'requestBody'>): {
  endpoint: EndpointName | null
  about: string | null
} {
  const endpoint = matchEndpoint(method, environmentOf(path).inside.split('?')[0] ?? '')
  const named = Object.values(endpoint?.params ?? {})[0] ?? keptFields(requestBody)?.externalTrxId
  return { endpoint: endpoint?.name ?? null, about: typeof named === 'string' ? named : null }
}

/** Returns the fields of a stored body; undefined when the body is missing, was shortened, or is not a JSON object. */
export function keptFields(body: string | null): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    return Object.fromEntries(Object.entries(parsed))
  } catch {
    return undefined
  }
}
