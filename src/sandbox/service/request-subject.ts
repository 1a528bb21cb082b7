import { type EndpointName, matchEndpoint } from '../../contract/endpoints.ts'
import { environmentOf } from '../addresses.ts'
import type { RequestRow } from '../store/tables.ts'

/** The endpoint of a kept request, and the transaction, lead, pre-approval or destination that its path or its body names. */
export function subjectOf({ method, path, requestBody }: Pick<RequestRow, 'method' | 'path' | 'requestBody'>): {
  endpoint: EndpointName | null
  about: string | null
} {
  const endpoint = matchEndpoint(method, environmentOf(path).inside.split('?')[0] ?? '')
  const named = Object.values(endpoint?.params ?? {})[0] ?? keptFields(requestBody)?.externalTrxId
  return { endpoint: endpoint?.name ?? null, about: typeof named === 'string' ? named : null }
}

/** The fields of a kept body; undefined when there is no body, or one that is not a record. */
export function keptFields(body: string | null): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    return Object.fromEntries(Object.entries(parsed))
  } catch {
    // The body was shortened, or is not JSON.
    return undefined
  }
}
