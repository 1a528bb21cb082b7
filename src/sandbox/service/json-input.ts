import { malformed } from './refusal.ts'

/** The fields of a JSON body; none where there is no body. Throws a 400 `Refusal`. */
export function readJsonInput(body: Uint8Array | undefined): Record<string, unknown> {
  if (body === undefined || body.length === 0) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw malformed('the body is not JSON')
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>
  throw malformed('the body is not an object')
}
