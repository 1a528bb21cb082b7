import { decodeForm } from '../../contract/form.ts'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { maskField, maskText } from '../../text/masking.ts'
import { addRequest } from '../store/requests.ts'
import { iso } from './clock.ts'
import type { Harm } from './faults.ts'
import type { Service } from './service.ts'

/** Largest body that is kept, in characters. */
const KEPT_CHARACTERS = 10_000

let sequence = 0

/** Keeps a call for `sandbox requests` and the window: bodies masked field by field, headers not at all. */
export async function logRequest(
  { store, random }: Service,
  call: {
    request: WireRequest
    response: WireResponse
    partner: string | undefined
    harm: Harm | undefined
    now: number
    ms: number
  },
): Promise<void> {
  const { request, response, now } = call
  const { pathname, search } = new URL(request.url)
  sequence = (sequence + 1) % 1_000_000
  const tail = Math.floor(random() * 0x1000000).toString(16)
  await addRequest(
    store.db,
    {
      id: `${iso(now)}-${String(sequence).padStart(6, '0')}-${tail.padStart(6, '0')}`,
      at: iso(now),
      partner: call.partner ?? null,
      method: request.method,
      path: maskText(pathname + search).slice(0, 1_000),
      status: response.status,
      ms: Math.round(call.ms),
      requestBody: maskedBody(request.headers['content-type'], request.body),
      responseBody: maskedBody(response.headers['content-type'], response.body),
      fault: call.harm ? JSON.stringify(call.harm) : null,
    },
    random() < 0.005,
  )
}

function maskedBody(contentType: string | undefined, body: Uint8Array | undefined): string | null {
  if (body === undefined || body.length === 0) return null
  const text = new TextDecoder().decode(body.subarray(0, KEPT_CHARACTERS * 4))
  if (contentType?.includes('urlencoded')) return keep(JSON.stringify(maskValue('', decodeForm(text))))
  try {
    return keep(JSON.stringify(maskValue('', JSON.parse(text))))
  } catch {
    // What cannot be read field by field cannot be masked field by field.
    return `(${body.length} bytes)`
  }
}

const keep = (text: string) => (text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS)}…` : text)

function maskValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return maskField(name, value)
  if (Array.isArray(value)) return value.map((item) => maskValue(name, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(key, item)]))
}
