/** The algorithms a signature may be configured to use; the specification does not show which one it is (gap 7). */
export const HMAC_ALGORITHMS = ['sha256', 'sha384', 'sha512', 'sha224', 'sha1', 'md5'] as const
export const HMAC_ENCODINGS = ['hex', 'base64'] as const

export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number]
export type HmacEncoding = (typeof HMAC_ENCODINGS)[number]

/** How deliveries are signed (gap 7): chosen by the receiver's configuration, never by what a sender sends. */
export interface SignatureSettings {
  algorithm: HmacAlgorithm
  encoding: HmacEncoding
}

/** What the sandbox uses, and what is assumed where nothing is configured (gap 7). */
export const DEFAULT_SIGNATURE: SignatureSettings = { algorithm: 'sha256', encoding: 'hex' }
