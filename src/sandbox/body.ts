import * as z from 'zod/mini'
import type { Endpoint } from '../contract/calls/call.ts'
import { decodeForm, FORM_TYPE } from '../contract/form.ts'
import { malformed, Refusal } from './refusal.ts'

/**
 * The typed body of a call, from a form or from JSON (gap 10), checked against the contract. Throws a `Refusal`.
 * @param contentType the header as sent; without one the body is read as a form, or as JSON when it looks like it
 */
export function readBody(endpoint: Endpoint, contentType: string | undefined, body: Uint8Array | undefined): unknown {
  if (endpoint.request === undefined) return {}
  const fields = decode(contentType, body)
  refuseNul(fields)
  const result = z.safeDecode(endpoint.request, fields as never)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue?.code === 'unrecognized_keys') throw malformed(`unknown field: ${issue.keys.join(', ')}`)
  const name = issue?.path.join('.') ?? ''
  if (name !== '' && !Object.hasOwn(fields, String(issue?.path[0]))) throw malformed(`${name} is missing`)
  throw malformed(`${name || 'the body'} is not as expected: ${issue?.message ?? 'wrong form'}`)
}

/** Not every database can keep this character, and no value needs it. Throws a `Refusal`. */
export function refuseNul(values: Record<string, unknown>): void {
  if (JSON.stringify(values).includes('\\u0000')) throw malformed('a value contains a NUL character')
}

function decode(contentType: string | undefined, body: Uint8Array | undefined): Record<string, unknown> {
  const text = asText(body)
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || (type === '' && text.trimStart().startsWith('{'))) return fromJson(text)
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

/** Top-level numbers become digits, as a form would carry them: the contract is written for the form. */
function fromJson(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch {
    throw malformed('the body is not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw malformed('the body is not an object')
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  )
}
