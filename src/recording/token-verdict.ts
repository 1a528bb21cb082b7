import { parseJsonText } from '../text/json-text.ts'
import { isRecord } from '../text/record.ts'
import type { RecordedExchange } from './entries.ts'

const MOST_BYTES = 64 * 1024

/**
 * Returns the form of the widget token in an answer; undefined if there is no token. For a JWT, the form is its algorithm and its validity
 * in seconds, for any other token its length.
 */
export function tokenVerdict(body: unknown, at: number): RecordedExchange['verdicts'] {
  if (!(body instanceof Uint8Array) || body.length > MOST_BYTES) return undefined
  const json = parseJsonText(body)
  const token = json.ok ? tokenIn(json.value, 0) : undefined
  if (token === undefined) return undefined
  const [head, claims, signature, ...more] = token.split('.')
  const header = partOf(head)
  if (signature === undefined || more.length > 0 || header === undefined)
    return { widgetToken: `opaque, ${token.length} characters` }
  const algorithm = typeof header.alg === 'string' && /^[A-Z]{2}\d{3}$/.test(header.alg) ? `JWT, ${header.alg}` : 'JWT'
  const { exp, iat } = partOf(claims) ?? {}
  const from = typeof iat === 'number' ? iat : at / 1000
  const seconds = typeof exp === 'number' ? Math.round(exp - from) : Number.NaN
  return { widgetToken: algorithm, ...(seconds > 0 && seconds < 1e8 && { widgetTokenSeconds: seconds }) }
}

function tokenIn(value: unknown, depth: number): string | undefined {
  if (!isRecord(value) || depth > 4) return undefined
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'string' && item.length >= 8 && /token|ticket/i.test(name)) return item
    const inner = tokenIn(item, depth + 1)
    if (inner !== undefined) return inner
  }
  return undefined
}

function partOf(part: string | undefined): Record<string, unknown> | undefined {
  if (part === undefined || !/^[\w-]{2,4096}$/.test(part)) return undefined
  const json = parseJsonText(Buffer.from(part, 'base64url'))
  return json.ok && isRecord(json.value) ? json.value : undefined
}
