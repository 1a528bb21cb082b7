import { randomBytes } from 'node:crypto'
import { type EndpointName, matchEndpoint } from '../../contract/endpoints.ts'
import { decodeForm } from '../../contract/form.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../../contract/wire.ts'
import { maskTarget } from '../../domain/addresses.ts'
import { isRecord } from '../../text/json-text.ts'
import { maskField } from '../../text/masking.ts'
import { createSecrets, type Secrets } from '../../text/secrets.ts'
import { environmentOf } from '../addresses.ts'
import type { FaultEffect } from '../store/fault-effect.ts'
import { addRequest } from '../store/requests.ts'
import { iso } from '../store/store.ts'
import { type RequestRow, toJsonColumn } from '../store/tables.ts'
import type { Service } from './service.ts'

const KEPT_CHARACTERS = 10_000

let sequence = 0

/** Returns a new id for a request. The order of ids is the order of the requests. @param at the sandbox's time, in ms since 1970 */
export function requestId(at: number): string {
  sequence = (sequence + 1) % 1_000_000
  return `${iso(at)}-${String(sequence).padStart(6, '0')}-${randomBytes(3).toString('hex')}`
}

const NO_ANSWER: WireResponse = { status: 0, headers: {}, body: new Uint8Array() }

/**
 * Stores a request, so that `bnpl sandbox requests` and the window can show it. The bodies are masked field by field, and no headers are
 * stored.
 */
export function logRequest(
  { store, random }: Service,
  entry: {
    request: WireRequest
    url: URL
    response: WireResponse | WireFailure
    partner: string | undefined
    effect: FaultEffect | undefined
    id: string
    /** The sandbox's time when the request arrived, in ms since 1970. */
    at: number
    ms: number
  },
): void {
  const { request, url, partner, effect, id, at, ms } = entry
  const { hide } = secretsOf(request.headers.authorization)
  const { status, headers, body } = entry.response instanceof WireFailure ? NO_ANSWER : entry.response
  addRequest(
    store.db,
    {
      id,
      at: iso(at),
      partner: partner ?? null,
      method: request.method,
      path: maskTarget(hide(url.pathname + url.search)).slice(0, 1_000),
      status,
      ms: Math.round(ms),
      requestBody: maskedBody(request.headers['content-type'], request.body, hide),
      responseBody: maskedBody(headers['content-type'], body, hide),
      fault: effect ? toJsonColumn(effect) : null,
      passed: null,
    },
    random() < 0.005,
  )
}

/** The secrets of the latest keys, because making one for each request would be slow. */
const KEYS = new Map<string, Secrets>()
const MOST_KEYS = 20

/** Returns a collection with the key of a request. Its path may contain the key by mistake, and it may be the key of a real service. */
function secretsOf(authorization = ''): Secrets {
  const known = KEYS.get(authorization)
  if (known) return known
  if (KEYS.size >= MOST_KEYS) KEYS.clear()
  const made = createSecrets(authorization.replace(/^\s*\S+\s+/, ''))
  KEYS.set(authorization, made)
  return made
}

function maskedBody(
  contentType: string | undefined,
  body: Uint8Array | undefined,
  hide: Secrets['hide'],
): string | null {
  if (body === undefined || body.length === 0) return null
  const text = hide(new TextDecoder().decode(body.subarray(0, KEPT_CHARACTERS * 4)))
  if (contentType?.includes('urlencoded')) return shortened(JSON.stringify(maskValue('', decodeForm(text))))
  try {
    return shortened(JSON.stringify(maskValue('', JSON.parse(text))))
  } catch {
    // A body that cannot be read field by field cannot be masked, so only its size is stored.
    return `(${body.length} bytes)`
  }
}

const shortened = (text: string) => (text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS)}…` : text)

function maskValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return maskField(name, value)
  if (typeof value === 'number') {
    const masked = maskField(name, String(value))
    return masked === String(value) ? value : masked
  }
  if (Array.isArray(value)) return value.map((item) => maskValue(name, item))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(key, item)]))
}

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
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
