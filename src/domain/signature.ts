import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { SignatureSettings } from './signature-settings.ts'

/** Returns the signature of a body, as it is written in the header. */
export function sign(
  body: Uint8Array,
  secret: string | Uint8Array,
  { algorithm, encoding }: SignatureSettings,
): string {
  return createHmac(algorithm, secret).update(body).digest(encoding)
}

/**
 * Returns the signature of a time and a body, as it is written in the header: `t=1709294400,signature=…`. The signed text is the time, a
 * dot and the body.
 * @param time seconds or ms since 1970
 */
export function signWithTime(
  body: Uint8Array,
  secret: string | Uint8Array,
  settings: SignatureSettings,
  time: number,
): string {
  return `t=${time},signature=${sign(Buffer.concat([Buffer.from(`${time}.`), body]), secret, settings)}`
}

/**
 * Whether a `service-signature` header is the signature of a body with one of the secrets (two during a rotation). Never throws. Every
 * secret is compared in full, so that the duration does not reveal a partial match.
 */
export function verifySignature(
  header: string | undefined,
  body: Uint8Array,
  secrets: readonly string[],
  settings: SignatureSettings,
): boolean {
  if (header === undefined || header === '') return false
  const given = Buffer.from(settings.encoding === 'hex' ? header.toLowerCase() : header)
  let valid = false
  for (const secret of secrets) {
    const expected = Buffer.from(sign(body, secret, settings))
    // The length of a signature is not secret, because it follows from the algorithm.
    if (given.length === expected.length && timingSafeEqual(given, expected)) valid = true
  }
  return valid
}

/**
 * Whether a `service-webhook-secret` header is one of the tokens. Compares SHA-256 hashes, so that the duration reveals neither the
 * content nor the length of a token.
 */
export function verifyToken(header: string | undefined, tokens: readonly string[]): boolean {
  if (header === undefined || header === '') return false
  const given = digest(header)
  let valid = false
  for (const token of tokens) if (timingSafeEqual(given, digest(token))) valid = true
  return valid
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
