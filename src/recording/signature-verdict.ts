import type { IncomingMessage } from 'node:http'
import { INTEGRATIONS, type VerificationScheme } from '../contract/integrations.ts'
import { verifySignature, verifyToken } from '../domain/signature.ts'
import { diagnose } from '../domain/signature-doctor.ts'
import type { SignatureSettings } from '../domain/signature-settings.ts'
import type { RecordedSignature } from './entries.ts'
import type { Headers } from './headers.ts'

/** The settings and secrets with which a delivery is verified. */
interface Verifying {
  scheme: VerificationScheme
  settings: SignatureSettings
  /** The secrets that are valid now. */
  secrets: readonly string[]
}

/** How many headers are tried as a signature. Each try computes some hundred digests. */
const MOST_TRIED = 6

/**
 * The largest body, in bytes, for which other combinations (of header, algorithm and so on) are tried. Each combination reads the whole
 * body while other deliveries wait.
 */
const MOST_BYTES = 64 * 1024

/**
 * How many deliveries without a matching combination are examined in one session. Otherwise a sender of forged deliveries could keep the
 * receiver busy.
 */
const MOST_MISFITS = 100

/** Counts the deliveries for which no combination matched. */
interface VerdictBudget {
  misfits: number
}

/** A text that may be a digest or a token, after a word such as `Bearer`. */
const MAY_BE_PROOF = /^(?:\w+ )?[\x21-\x7e]{16,512}$/

/**
 * Finds out how a delivery was signed, which only its original bytes show. The result says whether the delivery is valid with the present
 * settings. If it is not, the result also names the header, algorithm, encoding and form of the body with which it would be valid. This
 * search is no longer made after too many deliveries for which it found nothing (`budget`).
 */
export function signatureVerdict(
  headers: Headers,
  body: Uint8Array,
  verifying: Verifying,
  budget: VerdictBudget,
): RecordedSignature {
  const { scheme, settings, secrets } = verifying
  const { header } = scheme === 'hmac' ? INTEGRATIONS.bnpl : INTEGRATIONS['real-estate']
  const own = headers.find(([name]) => name.toLowerCase() === header)?.[1]
  const base = { scheme, ...(own === undefined ? {} : { header }) }
  if (own !== undefined && scheme === 'hmac' && verifySignature(own, body, secrets, settings))
    return { ...base, valid: true, ...settings, bodyForm: 'as given' }
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

/** Returns how likely a header contains a signature, by its name. The most likely headers are tried first. */
const likelihood = (name: string, header: string): number =>
  name.toLowerCase() === header ? 2 : /sign|hmac|digest|hash|secret|token|auth/i.test(name) ? 1 : 0

/** The headers of a request that a server received. A header that was sent several times is included several times. */
export const headersOf = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Headers =>
  Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i] ?? '', rawHeaders[2 * i + 1] ?? ''])
