import * as z from 'zod/mini'
import { type EndpointName, endpointOf, type RequestBody } from '../../contract/endpoints.ts'
import { decodeForm, FORM_TYPE } from '../../contract/form.ts'
import { parseRut } from '../../domain/identifiers.ts'
import { duplicateField, isRecord } from '../../text/json-text.ts'
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
  if (isRecord(parsed)) return { ...parsed }
  throw malformed('the body is not a JSON object')
}

type Kind = 'list' | 'record' | 'ignored' | 'one'

/**
 * Converts the fields of a body into the types of the contract. Lists and records may have every usual form, and numbers may be texts of
 * digits (gap 27). Throws a 400 `Refusal` when a field for a single value was sent more than once.
 * @param sent the fields of the form or of the JSON object
 */
function asExpected(schema: z.ZodMiniType, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const expected: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(sent)) {
    const kind = kindOf(schema, name)
    // In a JSON body, null means that the field is missing.
    if (kind === 'ignored' || value === null) continue
    if (kind === 'list') expected[name] = asList(value)
    else expected[name] = kind === 'record' ? asRecord(name, value) : asOne(name, value)
  }
  return expected
}

/** Returns how a field of a request is read. A field that the contract does not name is read as a single value (`one`). */
function kindOf(schema: z.ZodMiniType, name: string): Kind {
  const shape = schema instanceof z.ZodMiniObject ? schema.shape : {}
  const field: unknown = Object.hasOwn(shape, name) ? shape[name] : undefined
  const inner: unknown = field instanceof z.ZodMiniOptional ? field.def.innerType : field
  if (inner instanceof z.ZodMiniUnknown) return 'ignored'
  if (inner instanceof z.ZodMiniArray) return 'list'
  return inner instanceof z.ZodMiniRecord || inner instanceof z.ZodMiniObject ? 'record' : 'one'
}

/**
 * Reads a list in any form: `a=1&a=2`, `a[]=1&a[]=2`, `a[0]=1&a[1]=2`, `a=1,2` and `a=["1","2"]` are the same list. No item of these lists
 * can contain a comma.
 */
function asList(value: unknown): unknown {
  const items = typeof value === 'string' ? [value] : itemsOf(value)
  if (items === undefined) return value
  return items.flatMap((item) => (typeof item === 'string' ? itemsIn(item) : (itemsOf(item) ?? [item])))
}

function itemsIn(text: string): unknown[] {
  const parsed = text.trimStart().startsWith('[') ? fromJson(text) : undefined
  return Array.isArray(parsed) ? parsed : text.split(',').map((item) => item.trim())
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  return isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}

/**
 * Reads a record in any form: `a[b]=1`, `a[b][]=1` and `a={"b":"1"}` are the same record. An empty text or an empty list is read as an
 * empty record.
 */
function asRecord(name: string, value: unknown): unknown {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return {}
  if (typeof value === 'string') {
    const parsed = fromJson(value)
    if (isRecord(parsed) || Array.isArray(parsed)) return asRecord(name, parsed)
    throw malformed(`${name} is text, but not a JSON object; send it as ${name}[key]=value`)
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [key, Array.isArray(item) && item.length === 1 ? item[0] : item]),
  )
}

function asOne(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    throw malformed(
      value.length > 1 ? `${name} was sent ${value.length} times; send it only once` : `${name} must not be a list`,
    )
  }
  return typeof value === 'number' ? String(value) : value
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Checks a national id: digits without dots, a dash, the check character in upper or lower case (gap 24). Throws a 422 `Refusal` for any
 * other text.
 * @returns the id, with the check character in upper case
 */
export function checkRut(idNumber: string): string {
  const parsed = /^\d+-[\dkK]$/.test(idNumber) ? parseRut(idNumber) : undefined
  if (parsed?.ok) return parsed.rut
  throw new Refusal(
    422,
    'ERR_INVALID_ID_NUMBER',
    'a national id must be <digits>-<check character>, without dots, with the correct check character',
  )
}
