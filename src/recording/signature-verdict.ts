import type { IncomingMessage } from 'node:http'
import { INTEGRATIONS, type VerificationScheme } from '../contract/integrations.ts'
import { verifySignature, verifyToken } from '../domain/signature.ts'
import { diagnose } from '../domain/signature-doctor.ts'
import type { SignatureSettings } from '../domain/signature-settings.ts'
import type { RecordedSignature } from './entries.ts'
import type { Headers } from './headers.ts'

/** What a delivery is verified with. */
interface Verifying {
  scheme: VerificationScheme
  settings: SignatureSettings
  /** The secrets in force. */
  secrets: readonly string[]
}

/** How many headers are tried as a signature: each costs some hundred digests. */
const MOST_TRIED = 6

/** A text that may be a digest or a token. */
const MAY_BE_PROOF = /^[\x21-\x7e]{16,512}$/

/**
 * How a delivery is signed, which only its original bytes tell: whether it is valid with the settings in force, and if it is not, with which
 * header, algorithm, encoding and form of the body it would be.
 */
export function signatureVerdict(headers: Headers, body: Uint8Array, verifying: Verifying): RecordedSignature {
  const { scheme, settings, secrets } = verifying
  const { header } = scheme === 'hmac' ? INTEGRATIONS.bnpl : INTEGRATIONS['real-estate']
  const own = headers.find(([name]) => name.toLowerCase() === header)?.[1]
  const base = { scheme, ...(own === undefined ? {} : { header }) }
  if (own !== undefined && scheme === 'hmac' && verifySignature(own, body, secrets, settings))
    return { ...base, valid: true, ...settings, bodyForm: 'as given' }
  if (own !== undefined && scheme === 'token' && verifyToken(own, secrets)) return { ...base, valid: true }
  const proofs = headers.filter(([name, value]) => name.toLowerCase() === header || MAY_BE_PROOF.test(value))
  const tried = [...proofs].sort(([a], [b]) => likelihood(b, header) - likelihood(a, header)).slice(0, MOST_TRIED)
  for (const [name, value] of tried) {
    const found = { ...base, header: name.toLowerCase(), valid: false }
    if (verifyToken(value.replace(/^Bearer /i, ''), secrets)) return { ...found, scheme: 'token' }
    const [fit] = diagnose(value, body, secrets)
    if (fit === undefined) continue
    const { algorithm, encoding, bodyForm, secretForm, signatureForm } = fit
    return { ...found, scheme: 'hmac', algorithm, encoding, bodyForm, secretForm, signatureForm }
  }
  return { ...base, valid: false }
}

/** Headers whose names say so are tried first. */
const likelihood = (name: string, header: string): number =>
  name.toLowerCase() === header ? 2 : /sign|hmac|digest|hash|secret|token|auth/i.test(name) ? 1 : 0

/** The headers of a request that a server received, each as often as it was sent. */
export const headersOf = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Headers =>
  Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i] ?? '', rawHeaders[2 * i + 1] ?? ''])
