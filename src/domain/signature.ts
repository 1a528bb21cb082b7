import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { HMAC_ENCODINGS, type SignatureSettings } from './signature-settings.ts'

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
  return `t=${time},signature=${sign(timedBody(String(time), body), secret, settings)}`
}

/** Returns the text that is signed with a timestamp. */
const timedBody = (time: string, body: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(`${time}.`), body])

/** Returns the parts of a signature with a timestamp; undefined if the value does not begin with one, and null if it is malformed. */
export function readTimedSignature(value: string): { time: string; signature: string } | null | undefined {
  if (!/^\s*t\s*=/.test(value)) return undefined
  const [, time, signature] = /^t=(\d{1,15}), ?signature=([A-Za-z0-9+/_-]{1,512}={0,2})$/.exec(value) ?? []
  return time === undefined || signature === undefined ? null : { time, signature }
}

/** Returns a timestamp in ms. Seconds have at most 11 digits for the next 3000 years. */
const msOf = (time: string): number => Number(time) * (time.length > 11 ? 1 : 1000)

/**
 * Whether a header is the signature of a body with one of the secrets (two during a rotation). A value with a timestamp is compared only
 * with the signature of timestamp and body, in hex or base64, and any other value only with the signature of the body. Never throws. Every
 * secret is compared in full, so that the duration does not reveal a partial match.
 * @param now ms since 1970, for `toleranceMs`
 */
export function verifySignature(
  header: string | undefined,
  body: Uint8Array,
  secrets: readonly string[],
  settings: SignatureSettings,
  now: number = Date.now(),
): boolean {
  if (header === undefined || header === '') return false
  const { form = 'any', toleranceMs } = settings
  const timed = readTimedSignature(header)
  if (timed === null || (form !== 'any' && (form === 'timestamp') !== (timed !== undefined))) return false
  if (timed === undefined) return isSignatureOf(header, body, secrets, settings)
  if (toleranceMs !== undefined && Math.abs(now - msOf(timed.time)) > toleranceMs) return false
  const signed = timedBody(timed.time, body)
  return HMAC_ENCODINGS.map((encoding) =>
    isSignatureOf(timed.signature, signed, secrets, { ...settings, encoding }),
  ).includes(true)
}

function isSignatureOf(
  signature: string,
  body: Uint8Array,
  secrets: readonly string[],
  settings: SignatureSettings,
): boolean {
  const given = Buffer.from(settings.encoding === 'hex' ? signature.toLowerCase() : signature)
  let valid = false
  for (const secret of secrets) {
    const expected = Buffer.from(sign(body, secret, settings))
    // The length of a signature is not secret, because it follows from the algorithm.
    if (given.length === expected.length && timingSafeEqual(given, expected)) valid = true
  }
  return valid
}

/**
 * Whether a header is one of the tokens. Compares SHA-256 hashes, so that the duration reveals neither the
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
