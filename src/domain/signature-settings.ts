/** The algorithms that can be configured for signatures. The specification does not name the algorithm (gap 7). */
export const HMAC_ALGORITHMS = ['sha256', 'sha384', 'sha512', 'sha224', 'sha1', 'md5'] as const
export const HMAC_ENCODINGS = ['hex', 'base64'] as const

export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number]
export type HmacEncoding = (typeof HMAC_ENCODINGS)[number]

/** How deliveries are signed (gap 7). The configuration of the receiver decides this, never a header from the sender. */
export interface SignatureSettings {
  algorithm: HmacAlgorithm
  encoding: HmacEncoding
  /** What is signed: the body, or a timestamp and the body (`t=…,signature=…`). By default, the form of the value decides. */
  form?: 'any' | 'body' | 'timestamp'
  /** How old, or how far in the future, a timestamp may be. By default, no age is refused. */
  toleranceMs?: number | undefined
  /** The one header of each scheme that counts. By default, the specified and the published name count. */
  headers?: { hmac?: string; token?: string }
  /** How the service signs, for test deliveries. By default, with the specified headers and over the body. */
  sent?: { hmac: string; token: string; timed: boolean }
}

/** The settings of the sandbox, which are also the defaults of the receiver (gap 7). */
export const DEFAULT_SIGNATURE: SignatureSettings = { algorithm: 'sha256', encoding: 'hex' }

const SHORT_SECRET = 16

/** Returns why a text is probably not a webhook secret (it contains a space, or is short); undefined if the text is plausible. */
export function doubtAbout(secret: string): 'blank' | 'short' | undefined {
  if (/\s/.test(secret)) return 'blank'
  return secret.length < SHORT_SECRET ? 'short' : undefined
}
