import { isRecord } from '../text/json-text.ts'
import { shortened } from '../text/visible.ts'
import type { WireResponse } from './wire.ts'

interface Problem {
  code?: string | undefined
  message?: string | undefined
}

/** A code in a sentence: `ERR_…` or, because the service banca.me publishes one without this beginning, `…_ERROR`. */
const CODE = /\b(?:ERR_[A-Z0-9_]{2,80}|[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){0,6}_ERROR)\b/
/** A code in a field for codes, where it may have any beginning. */
const CODE_ALONE = /^[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}$/
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? shortened(value, 500) : undefined

/** Finds a code (such as `ERR_…`) and a message in an error body. Reads any shape, because the specification shows none (gap 15). Never throws. */
export function findProblem(body: string): Problem {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return plain(body)
  }
  const records = [parsed, field(parsed, 'error'), field(parsed, 'data'), first(field(parsed, 'errors'))]
  let code: string | undefined
  let message: string | undefined
  for (const record of records) {
    code ??= codeIn(
      asText(field(record, 'code')) ?? asText(field(record, 'error')) ?? asText(field(record, 'errorCode')) ?? '',
    )
    message ??= asText(field(record, 'message')) ?? asText(field(record, 'detail'))
  }
  message ??= asText(field(parsed, 'error')) ?? asText(first(field(parsed, 'message'))) ?? asText(parsed)
  code ??= CODE.exec(message ?? '')?.[0] ?? CODE.exec(body.slice(0, 10_000))?.[0]
  return { code, message: message === code ? undefined : message }
}

const codeIn = (text: string): string | undefined =>
  CODE.exec(text)?.[0] ?? (CODE_ALONE.test(text.trim()) ? text.trim() : undefined)

const MOST_BYTES = 10_000
const FIELDS_OF_A_REFUSAL = new Set(['status', 'url', 'ip', 'code', 'message', 'error', 'errorCode'])

/**
 * Returns an answer with the status that it has in its `data`, if its status is a success but its `data` is the body of an error
 * (`{"data":{"status":404,"url":…,"ip":…}}`, as banca.me publishes it). Otherwise returns the answer itself.
 */
export function asRefusal(response: WireResponse): WireResponse {
  const { status, body } = response
  if (status < 200 || status >= 300 || body.length > MOST_BYTES) return response
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (!/"status"\s*:\s*[45]\d\d\b/.test(text)) return response
  try {
    const data = field(JSON.parse(text), 'data')
    if (!isRecord(data) || !Object.keys(data).every((name) => FIELDS_OF_A_REFUSAL.has(name))) return response
    return isErrorStatus(data.status) ? { ...response, status: data.status } : response
  } catch {
    return response
  }
}

const isErrorStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600

function plain(body: string): Problem {
  const code = CODE.exec(body.slice(0, 10_000))?.[0]
  // Object storage answers in XML. Only the code is used, because other elements may contain parts of the request, such as its signature.
  const storage = /<Code>([A-Za-z]{3,60})<\/Code>/.exec(body.slice(0, 10_000))?.[1]
  if (storage !== undefined) return { code, message: storage }
  // A web page (of a proxy, or a login form) is not a message, but a short line of text is.
  const line = /^\s*</.test(body) ? undefined : asText(body.trim().split('\n')[0])
  return { code, message: line === code ? undefined : line }
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}
