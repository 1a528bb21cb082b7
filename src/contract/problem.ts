import { shortened } from '../text/visible.ts'

interface Problem {
  code?: string
  message?: string
}

const CODE = /\bERR_[A-Z0-9_]{2,80}\b/
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? shortened(value, 500) : undefined

/** Finds a code (`ERR_…`) and a message in an error body. Reads any shape, because the specification shows none (gap 15). Never throws. */
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
    code ??= CODE.exec(
      asText(field(record, 'code')) ?? asText(field(record, 'error')) ?? asText(field(record, 'errorCode')) ?? '',
    )?.[0]
    message ??= asText(field(record, 'message')) ?? asText(field(record, 'detail'))
  }
  message ??= asText(field(parsed, 'error')) ?? asText(first(field(parsed, 'message'))) ?? asText(parsed)
  code ??= CODE.exec(message ?? '')?.[0] ?? CODE.exec(body.slice(0, 10_000))?.[0]
  return { ...(code === undefined ? {} : { code }), ...(message === undefined || message === code ? {} : { message }) }
}

function plain(body: string): Problem {
  const code = CODE.exec(body.slice(0, 10_000))?.[0]
  // Object storage answers in XML. Only the code is used, because other elements may contain parts of the request, such as its signature.
  const storage = /<Code>([A-Za-z]{3,60})<\/Code>/.exec(body.slice(0, 10_000))?.[1]
  if (storage !== undefined) return { ...(code === undefined ? {} : { code }), message: storage }
  // A web page (of a proxy, or a login form) is not a message, but a short line of text is.
  const line = /^\s*</.test(body) ? undefined : asText(body.trim().split('\n')[0])
  return { ...(code === undefined ? {} : { code }), ...(line === undefined || line === code ? {} : { message: line }) }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}
