import * as z from 'zod/mini'
import { type EndpointName, endpointOf, type RequestBody } from '../../contract/endpoints.ts'
import { decodeForm, FORM_TYPE } from '../../contract/form.ts'
import { duplicateField } from '../../text/json-text.ts'
import { asExpected, kindOf } from './fields.ts'
import { malformed, Refusal } from './refusal.ts'

/**
 * Reads a form or JSON from the body of a request (gap 10). Throws a `Refusal` if the contract of the endpoint does not allow the body.
 * @param contentType the Content-Type header. Without this header, a body that begins like JSON is read as JSON, and any other body as a
 * form
 */
export function readBody<N extends EndpointName>(
  name: N,
  contentType: string | undefined,
  body: Uint8Array | undefined,
): RequestBody<N> {
  const schema = endpointOf(name).request ?? NOTHING
  const fields = schema === NOTHING ? {} : asExpected(schema, decode(schema, contentType, body))
  refuseNul(fields)
  const result = z.safeParse(schema, fields)
  if (result.success) return result.data as RequestBody<N>
  const [issue] = result.error.issues
  if (issue?.code === 'unrecognized_keys') throw malformed(`unknown field: ${issue.keys.join(', ')}`)
  const field = issue?.path.join('.') ?? ''
  if (field !== '' && !Object.hasOwn(fields, String(issue?.path[0]))) throw malformed(`${field} is missing`)
  throw malformed(`${field || 'the body'} is not as expected: ${issue?.message ?? 'wrong form'}`)
}

const NOTHING = z.object({})

/** Refuses a NUL character, because not every database can store it, and no value needs it. */
export function refuseNul(values: Record<string, unknown>): void {
  if (JSON.stringify(values).includes('\\u0000')) throw malformed('a value contains a NUL character')
}

/** Returns the fields of a JSON body, or an empty object for an empty body. Throws a 400 `Refusal` when the body is not a JSON object. */
export function readJsonFields(body: Uint8Array | undefined): Record<string, unknown> {
  return fromJsonText(asText(body))
}

/** Matches a JSON body without fields. PHP writes an empty object as `[]`, and Go writes a nil map as `null`. */
const EMPTY = /^(\{\s*\}|\[\s*\]|null)?$/

/** Matches the body that `fetch` sends for a `FormData` without fields. It contains only the last boundary. */
const NO_PARTS = /^--\S+--$/

function decode(
  schema: z.ZodMiniType,
  contentType: string | undefined,
  body: Uint8Array | undefined,
): Record<string, unknown> {
  const text = asText(body)
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  const bare = text.trim()
  if (EMPTY.test(bare) || (type === 'multipart/form-data' && NO_PARTS.test(bare))) return {}
  const looksLikeJson = text.trimStart().startsWith('{')
  if (type === 'application/json' || (type === '' && looksLikeJson)) return onceEach(schema, text, fromJsonText(text))
  if (type !== FORM_TYPE && type !== '')
    throw new Refusal(
      415,
      'ERR_UNSUPPORTED_MEDIA_TYPE',
      `this Content-Type is not accepted; send ${FORM_TYPE} or application/json`,
    )
  // No field name of a form begins like JSON, so this body is JSON. `curl -d` sends JSON as a form if no Content-Type is given.
  if (looksLikeJson)
    throw malformed('the body is JSON, but its Content-Type is that of a form; send it as application/json')
  const fields = decodeForm(text, (name) => kindOf(schema, name) !== 'one')
  return Object.keys(fields).join() === '{}' ? {} : fields
}

/** Refuses a JSON object that has the same field twice, because programs do not agree on which of the two values they read. */
function onceEach(schema: z.ZodMiniType, text: string, fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields).filter((name) => kindOf(schema, name) !== 'ignored')
  const twice = duplicateField(text, names)
  if (twice === undefined) return fields
  throw malformed(`${twice} was sent more than once; send it only once`)
}

function asText(body: Uint8Array | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array())
  } catch {
    throw malformed('the body is not UTF-8 text')
  }
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
  throw malformed('the body is not a JSON object')
}
