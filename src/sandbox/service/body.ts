import * as z from 'zod/mini'
import { type EndpointName, endpointOf, type RequestBody } from '../../contract/endpoints.ts'
import { decodeForm, FORM_TYPE } from '../../contract/form.ts'
import { malformed, Refusal } from './refusal.ts'

/**
 * The typed body of a request to an endpoint, from a form or from JSON (gap 10), checked against the contract. Throws a `Refusal`.
 * @param contentType the header as sent; without one the body is read as a form, or as JSON when it begins like it
 */
export function readBody<N extends EndpointName>(
  name: N,
  contentType: string | undefined,
  body: Uint8Array | undefined,
): RequestBody<N> {
  const schema = endpointOf(name).request ?? NOTHING
  const fields = schema === NOTHING ? {} : decode(contentType, body)
  refuseNul(fields)
  const result = z.safeParse(schema, fields)
  // `endpointOf` gives the schema of this endpoint by a name that is known only at run time, so its type is lost there.
  if (result.success) return result.data as RequestBody<N>
  const [issue] = result.error.issues
  if (issue?.code === 'unrecognized_keys') throw malformed(`unknown field: ${issue.keys.join(', ')}`)
  const field = issue?.path.join('.') ?? ''
  if (field !== '' && !Object.hasOwn(fields, String(issue?.path[0]))) throw malformed(`${field} is missing`)
  throw malformed(`${field || 'the body'} is not as expected: ${issue?.message ?? 'wrong form'}`)
}

const NOTHING = z.object({})

/** Refuses a NUL character: not every database can store it, and no value needs it. */
export function refuseNul(values: Record<string, unknown>): void {
  if (JSON.stringify(values).includes('\\u0000')) throw malformed('a value contains a NUL character')
}

/** The fields of a JSON body; none for an empty one. Throws a 400 `Refusal`. */
export function readJsonFields(body: Uint8Array | undefined): Record<string, unknown> {
  return fromJsonText(asText(body))
}

function decode(contentType: string | undefined, body: Uint8Array | undefined): Record<string, unknown> {
  const text = asText(body)
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || (type === '' && text.trimStart().startsWith('{')))
    return asForm(fromJsonText(text))
  if (type === FORM_TYPE || type === '' || text === '') return fromForm(text)
  throw new Refusal(415, 'ERR_UNSUPPORTED_MEDIA_TYPE', `send ${FORM_TYPE} or application/json`)
}

function asText(body: Uint8Array | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array())
  } catch {
    throw malformed('the body is not UTF-8 text')
  }
}

function fromForm(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = decodeForm(text)
  // One event needs no brackets (gap 27).
  if (typeof fields.eventTypes === 'string') fields.eventTypes = [fields.eventTypes]
  return fields
}

function fromJsonText(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch {
    throw malformed('the body is not JSON')
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return Object.fromEntries(Object.entries(parsed))
  throw malformed('the body is not an object')
}

/** Turn top-level numbers into digits, as in a form, because the contract describes the form. */
function asForm(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  )
}
