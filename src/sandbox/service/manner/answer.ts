import type { AnswerManner, CallManner, RefusalManner } from '../../../contract/manner.ts'
import type { WireResponse } from '../../../contract/wire.ts'
import { inFieldsOf } from './fields.ts'

/** Changes the sandbox's own answer to a call into the answer of the imitated service, as far as the recordings show that answer. */
export function inMannerOf(call: CallManner, answer: WireResponse): WireResponse {
  if (answer.status < 400) return call.success === undefined ? answer : success(call.success, answer)
  const problem = problemOf(answer)
  const refusal = problem && call.refusals?.[`${answer.status} ${problem.code}`]
  return problem === undefined || refusal === undefined ? answer : refused(refusal, problem, answer)
}

interface Problem {
  code: string
  message: string
}

const NO_BODY = new Uint8Array()

function success(manner: AnswerManner, answer: WireResponse): WireResponse {
  const status = manner.status ?? answer.status
  if (manner.isEmpty || status === 204)
    return withHeaders({ ...answer, status, body: NO_BODY }, manner.contentType ?? '')
  const own = jsonOf(answer)
  const body = own === undefined ? answer.body : bodyOf(manner, own, answer)
  return withHeaders({ ...answer, status, body }, manner.contentType)
}

function bodyOf(manner: AnswerManner, own: unknown, answer: WireResponse): Uint8Array {
  const changed = inFieldsOf(manner, own)
  const isWrapped = manner.data !== undefined || manner.list !== undefined
  const whole = isWrapped && isObject(changed) && 'data' in changed ? enveloped(manner, changed) : changed
  return whole === own ? answer.body : Buffer.from(JSON.stringify(whole))
}

function enveloped({ data: keys = ['data'], list }: AnswerManner, own: { data: unknown }): unknown {
  const { data, ...beside } = own
  const isList = list !== undefined && Array.isArray(data)
  const whole = isList ? listed([...keys, ...list.at], data, list.beside) : behind(keys, data)
  return isObject(whole) ? { ...whole, ...beside } : whole
}

/** Wraps a value in nested objects, one for each key, with the first key outermost. The key `0` makes a list instead of an object. */
function behind(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value)
}

function listed(keys: readonly string[], rows: readonly unknown[], beside: Readonly<Record<string, unknown>>): unknown {
  const own = behind(keys.slice(-1), rows)
  return behind(keys.slice(0, -1), isObject(own) ? { ...own, ...counted(beside, rows) } : own)
}

function counted(beside: Readonly<Record<string, unknown>>, rows: readonly unknown[]): Record<string, unknown> {
  const isCount = (name: string, example: unknown) => typeof example === 'number' && /^(total|count)/i.test(name)
  return Object.fromEntries(
    Object.entries(beside).map(([name, example]) => [name, isCount(name, example) ? rows.length : example]),
  )
}

function refused(manner: RefusalManner, problem: Problem, answer: WireResponse): WireResponse {
  const { status, contentType, retryAfter } = manner
  const headers = retryAfter === undefined ? answer.headers : { ...answer.headers, 'retry-after': retryAfter }
  const filled = filledIn(manner.body, { ...problem, code: manner.code ?? problem.code })
  if (filled === undefined || status === 204) return withHeaders({ status, headers, body: NO_BODY }, contentType ?? '')
  const isText = typeof filled === 'string' && contentType !== undefined && !contentType.includes('json')
  const body = Buffer.from(isText ? filled : JSON.stringify(filled))
  return withHeaders({ status, headers, body }, contentType)
}

function filledIn(template: unknown, problem: Problem): unknown {
  if (typeof template === 'string')
    return template.replace(/\$(code|message)\b/g, (_, name: keyof Problem) => problem[name])
  if (Array.isArray(template)) return template.map((item) => filledIn(item, problem))
  if (!isObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filledIn(value, problem)]))
}

function problemOf(answer: WireResponse): Problem | undefined {
  const body = jsonOf(answer)
  const error = isObject(body) && 'error' in body ? body.error : undefined
  if (!isObject(error) || !('code' in error) || !('message' in error)) return undefined
  return { code: String(error.code), message: String(error.message) }
}

function jsonOf({ headers, body }: WireResponse): unknown {
  if (!headers['content-type']?.includes('json')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/**
 * Returns an answer with another content type.
 * @param contentType undefined leaves the content type unchanged; an empty text removes it
 */
function withHeaders(answer: WireResponse, contentType: string | undefined): WireResponse {
  if (contentType === undefined) return answer
  const { 'content-type': _, ...headers } = answer.headers
  return { ...answer, headers: contentType === '' ? headers : { ...headers, 'content-type': contentType } }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
