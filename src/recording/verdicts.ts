import type { IncomingMessage } from 'node:http'
import { proofOf, SCHEME_HEADERS, type VerificationScheme } from '../contract/integrations.ts'
import { WITH_TIME } from '../domain/body-bytes.ts'
import { readTimedSignature, verifySignature, verifyToken } from '../domain/signature.ts'
import { diagnose } from '../domain/signature-doctor.ts'
import type { SignatureSettings } from '../domain/signature-settings.ts'
import { isRecord, parseJsonText } from '../text/json-text.ts'
import type { Headers } from './headers.ts'
import type { RecordedExchange, RecordedSignature } from './lines.ts'

interface Verifying {
  scheme: VerificationScheme
  settings: SignatureSettings
  secrets: readonly string[]
}

/** How many headers are tried as a signature. Each try can compute hundreds of digests. */
const MOST_TRIED = 6

/**
 * A body with more bytes is checked only with the settings. No other header or algorithm is tried, because each try reads the whole body
 * while other deliveries wait.
 */
const MOST_BYTES = 64 * 1024

/**
 * After this number of deliveries in which no valid signature was found, a session tries only the settings, and no other header or
 * algorithm. Otherwise, a sender of forged deliveries could keep the receiver busy.
 */
const MOST_MISFITS = 100

interface VerdictBudget {
  misfits: number
}

const MAY_BE_PROOF = /^(?:\w+ )?[\x21-\x7e]{16,512}$/

/**
 * Returns how a delivery was signed. If the signature is not valid with the settings, the result says with which header, algorithm and
 * encoding it would be valid.
 * @param budget counts the deliveries for which nothing valid was found. After `MOST_MISFITS` of them, only the settings are tried
 */
export function signatureVerdict(
  headers: Headers,
  body: Uint8Array,
  verifying: Verifying,
  budget: VerdictBudget,
): RecordedSignature {
  const { scheme, settings, secrets } = verifying
  const names = settings.headers?.[scheme] === undefined ? SCHEME_HEADERS[scheme] : [settings.headers[scheme]]
  const sent = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const header = names.find((name) => sent(name) !== undefined) ?? names[0] ?? ''
  const own = proofOf(sent, scheme, settings.headers)
  const base = { scheme, ...(own === undefined ? {} : { header }) }
  if (own !== undefined && scheme === 'hmac' && verifySignature(own, body, secrets, settings))
    return { ...base, valid: true, ...writtenAs(own, settings) }
  if (own !== undefined && scheme === 'token' && verifyToken(own, secrets)) return { ...base, valid: true }
  if (body.length > MOST_BYTES || budget.misfits >= MOST_MISFITS) return { ...base, valid: false }
  const proofs = headers.filter(([name, value]) => name.toLowerCase() === header || MAY_BE_PROOF.test(value))
  const tried = [...proofs].sort(([a], [b]) => likelihood(b, header) - likelihood(a, header)).slice(0, MOST_TRIED)
  for (const [name, given] of tried) {
    const value = given.replace(/^\w+ /, '')
    const found = { ...base, header: name.toLowerCase(), valid: false }
    if (verifyToken(value, secrets)) return { ...found, scheme: 'token' }
    const [fit] = diagnose(value, body, secrets)
    if (fit === undefined) continue
    const { algorithm, encoding, bodyForm, secretForm, signatureForm } = fit
    return { ...found, scheme: 'hmac', algorithm, encoding, bodyForm, secretForm, signatureForm }
  }
  budget.misfits++
  return { ...base, valid: false }
}

function writtenAs(own: string, { algorithm, encoding }: SignatureSettings): Partial<RecordedSignature> {
  const timed = readTimedSignature(own)
  if (!timed) return { algorithm, encoding, bodyForm: 'as given' }
  const isHex = /^([0-9a-f]{2})+$/i.test(timed.signature)
  return { algorithm, encoding: isHex ? 'hex' : 'base64', bodyForm: WITH_TIME }
}

const likelihood = (name: string, header: string): number =>
  name.toLowerCase() === header ? 2 : /sign|hmac|digest|hash|secret|token|auth/i.test(name) ? 1 : 0

/** Returns the headers of a received request. A repeated header is included several times. */
export const headersOf = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Headers =>
  Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i] ?? '', rawHeaders[2 * i + 1] ?? ''])

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
