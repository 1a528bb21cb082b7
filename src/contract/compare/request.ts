import * as z from 'zod/mini'
import { identifierProblem } from '../../domain/identifiers.ts'
import { isRecord } from '../../text/json-text.ts'
import type { Endpoint } from '../calls/call.ts'
import { decodeForm, FORM_TYPE } from '../form.ts'
import { SHAPES } from '../shapes.ts'
import { headerIn, mediaType, type PlainBody, type PlainRequest, timesIn, whyUnread } from './exchange.ts'
import { bodyKind, FORMATS, isNoValue, kindSeen, shownName, wantedBy } from './words.ts'

export interface Findings {
  add(where: string, expected: string, seen: string): void
  /** Whether a text is a placeholder for text that was left out. The form of a placeholder is not compared. */
  isHidden(text: string): boolean
}

const JSON_TYPE = 'application/json'

/** Compares a request with the contract of its call: key, path parameters, query, content type, and every field. */
export function compareRequest(
  endpoint: Endpoint,
  params: Record<string, string>,
  request: PlainRequest,
  findings: Findings,
): void {
  const { add } = findings
  const key = wrongKey(endpoint, request)
  if (key !== undefined)
    add('request header authorization', endpoint.auth === 'key' ? 'Bearer and the API key' : 'no such header', key)
  for (const [name, value] of Object.entries(params)) compareParameter(endpoint, name, value, findings)
  if (endpoint.notShown.query === undefined)
    for (const name of new Set(new URLSearchParams(request.path.split('?')[1] ?? '').keys()))
      add(`request query ${shownName(name)}`, 'no field of this name', 'a field')
  compareBody(endpoint, request, findings)
}

/** Returns what is wrong with the authentication header. The words never contain its value. */
function wrongKey({ auth }: Endpoint, { headers }: PlainRequest): string | undefined {
  const times = timesIn(headers, 'authorization')
  if (auth === 'none') return times > 0 ? 'the header' : undefined
  if (times !== 1) return times === 0 ? 'no such header' : `${times} headers`
  const value = headerIn(headers, 'authorization') ?? ''
  const [, scheme = '', key = ''] = /^(\S*)\s*(.*)$/.exec(value) ?? []
  if (!/^bearer$/i.test(scheme)) return schemeIn(scheme)
  if (key === '') return 'Bearer without a key'
  if (isNoValue(key)) return `Bearer and the word ${key}`
  return /[\s"'<>]/.test(key) ? 'a key with spaces, quotes or brackets' : undefined
}

/** Returns words for an authentication scheme. Names only known schemes, because any other text may be a key without a scheme. */
function schemeIn(text: string): string {
  const known = ['Basic', 'Digest', 'Token', 'ApiKey', 'Bearer:'].find(
    (each) => each.toLowerCase() === text.toLowerCase(),
  )
  return known === undefined ? 'a value that does not begin with Bearer' : `the scheme ${known}`
}

function compareParameter({ formats }: Endpoint, name: string, value: string, { add, isHidden }: Findings): void {
  if (isHidden(value)) return
  const format = formats.request?.[name]
  const rule = format === undefined ? undefined : FORMATS[format]
  const wrong =
    rule?.wrong(value, {}) ?? (isNoValue(value) ? kindSeen(value) : identifierProblem(value) && kindSeen(value))
  if (wrong !== undefined) add(`request path ${name}`, rule?.expected ?? 'an id', wrong)
}

function compareBody(endpoint: Endpoint, request: PlainRequest, findings: Findings) {
  const { add } = findings
  const { body } = request
  const schema = endpoint.request
  if (schema === undefined) {
    if (body !== undefined) add('request body', 'no body', bodyKind(body))
    return
  }
  const takesJson = endpoint.notShown.request !== undefined
  const types = takesJson ? `${FORM_TYPE} or ${JSON_TYPE}` : FORM_TYPE
  const type = mediaType(request.headers)
  if (isEmptyBody(body) && isEmptyObject(schema)) return
  if (body !== undefined && type !== FORM_TYPE && !(takesJson && type === JSON_TYPE))
    return add('request header content-type', types, typeSeen(type))
  if (body === undefined) return compareFields(endpoint, {}, 'form', findings)
  if (whyUnread(body) !== undefined) return
  const isJson = 'json' in body
  if (isJson !== (type === JSON_TYPE) || !(isJson || 'form' in body))
    return add(
      'request body',
      type === JSON_TYPE ? 'JSON, as its Content-Type says' : 'a form, as its Content-Type says',
      bodyKind(body),
    )
  if (!isJson) return compareFields(endpoint, formFields(endpoint, body.form), 'form', findings)
  if (!isRecord(body.json)) return add('request body', 'an object', kindSeen(body.json))
  compareFields(endpoint, body.json, 'json', findings)
}

/** The media types that a difference may name, because they contain nothing personal. All others are called “another type”. */
const KNOWN_TYPES = [
  JSON_TYPE,
  FORM_TYPE,
  'multipart/form-data',
  'text/plain',
  'text/html',
  'application/xml',
  'application/octet-stream',
]

const typeSeen = (type: string) =>
  type === '' ? 'no such header' : (KNOWN_TYPES.find((each) => each === type) ?? 'another type')

/** Whether a body is missing, or is an empty object that was written as JSON, as text or as a form (gap 10). */
function isEmptyBody(body: PlainBody | undefined): boolean {
  if (body === undefined) return true
  if ('json' in body) return isRecord(body.json) && Object.keys(body.json).length === 0
  if ('text' in body) return /^\s*(\{\s*\})?\s*$/.test(body.text)
  return 'form' in body && body.form.every(([name, value]) => value === '' && (name === '{}' || name === ''))
}

const shapeOf = (schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> =>
  schema._zod.def.type === 'object' ? (schema._zod.def as z.core.$ZodObjectDef).shape : {}

const isEmptyObject = (schema: z.core.$ZodType) => Object.keys(shapeOf(schema)).length === 0

function formFields(endpoint: Endpoint, form: readonly (readonly [string, string])[]): Record<string, unknown> {
  const text = new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString()
  return decodeForm(text, (name) => endpoint.notShown.requestFields?.[name] !== undefined)
}

function compareFields(
  endpoint: Endpoint,
  fields: Readonly<Record<string, unknown>>,
  place: 'form' | 'json',
  { add, isHidden }: Findings,
) {
  const schema = endpoint.request
  if (schema === undefined) return
  const shape = shapeOf(schema)
  for (const [name, field] of Object.entries(shape)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && isHidden(value)) continue
    const seen = wrongField(endpoint, name, field, value)
    if (seen) add(`request ${place} ${name}`, seen.expected, seen.seen)
  }
  if (takesOthers(schema)) return
  for (const name of Object.keys(fields).filter((each) => !Object.hasOwn(shape, each)))
    add(`request ${place} ${shownName(name)}`, 'no field of this name', 'a field')
}

/** Whether a schema allows unknown fields. A call's schema allows them if the specification leaves the name of a field open (gap 9). */
function takesOthers(schema: z.core.$ZodType): boolean {
  const { catchall } = schema._zod.def as z.core.$ZodObjectDef
  return catchall !== undefined && catchall._zod.def.type !== 'never'
}

function wrongField(
  { formats, notShown }: Endpoint,
  name: string,
  field: z.core.$ZodType,
  value: unknown,
): { expected: string; seen: string } | undefined {
  const format = formats.request?.[name]
  const rule = format === undefined ? undefined : FORMATS[format]
  const wanted = rule?.expected ?? (field === SHAPES.integerText ? WHOLE_NUMBER : 'text')
  const isOptional = field._zod.def.type === 'optional'
  if (value === undefined || value === null)
    return isOptional ? undefined : { expected: wanted, seen: value === null ? 'null' : 'nothing' }
  if (Array.isArray(value) && field._zod.def.type !== 'array' && !isOptional)
    return { expected: 'the field once', seen: `${value.length} times` }
  // If the specification has a gap about this field, skip the schema, and check only the rule of the field's format.
  const isShown = notShown.requestFields?.[name] === undefined
  const issue = isShown ? z.safeParse(field, value).error?.issues[0] : undefined
  if (issue)
    return {
      expected: rule?.expected ?? (field === SHAPES.integerText ? WHOLE_NUMBER : wantedBy(issue)),
      seen: kindSeen(value),
    }
  if (field === SHAPES.text && isNoValue(value)) return { expected: wanted, seen: kindSeen(value) }
  const seen = rule?.wrong(value, {})
  return seen === undefined ? undefined : { expected: wanted, seen }
}

const WHOLE_NUMBER = 'a whole number, digits only, such as 250000'
