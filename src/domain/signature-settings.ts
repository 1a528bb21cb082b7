/** The algorithms that can be configured for signatures. The specification does not name the algorithm (gap 7). */
export const HMAC_ALGORITHMS = ['sha256', 'sha384', 'sha512', 'sha224', 'sha1', 'md5'] as const
export const HMAC_ENCODINGS = ['hex', 'base64'] as const

export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number]
export type HmacEncoding = (typeof HMAC_ENCODINGS)[number]

/** How deliveries are signed (gap 7). The configuration of the receiver decides this, never a header from the sender. */
export interface SignatureSettings {
  algorithm: HmacAlgorithm
  encoding: HmacEncoding
}

/** The settings of the sandbox, which are also the defaults of the receiver (gap 7). */
export const DEFAULT_SIGNATURE: SignatureSettings = { algorithm: 'sha256', encoding: 'hex' }

const SHORT_SECRET = 16

/** Returns why a text is probably not a webhook secret (it contains a space, or is short); undefined if the text is plausible. */
export function doubtAbout(secret: string): 'blank' | 'short' | undefined {
  if (/\s/.test(secret)) return 'blank'
  return secret.length < SHORT_SECRET ? 'short' : undefined
}
