import { createHmac, hash } from 'node:crypto'
import type { HmacAlgorithm, SignatureSettings } from './signature-settings.ts'

export type PreparedHmac = (body: Uint8Array) => string

/** The block size of each hash, in bytes. RFC 2104 pads a key to this size. */
const BLOCK_BYTES: Record<HmacAlgorithm, number> = {
  sha256: 64,
  sha384: 128,
  sha512: 128,
  sha224: 64,
  sha1: 64,
  md5: 64,
}

const MAX_COPIED_BYTES = 16 * 1024

/**
 * Prepares a secret for the HMAC (RFC 2104) of many bodies. For a body of 2 kB, the returned function takes a third less time than
 * `createHmac`.
 */
export function prepareHmac(secret: string | Uint8Array, { algorithm, encoding }: SignatureSettings): PreparedHmac {
  const block = BLOCK_BYTES[algorithm]
  const key = Buffer.from(secret)
  const padded = Buffer.alloc(block)
  padded.set(key.length > block ? hash(algorithm, key, 'buffer') : key)
  const inner = Buffer.alloc(block + MAX_COPIED_BYTES)
  const outer = Buffer.alloc(block + hash(algorithm, '', 'buffer').length)
  for (const [i, byte] of padded.entries()) {
    inner[i] = byte ^ 0x36
    outer[i] = byte ^ 0x5c
  }
  return (body) => {
    if (body.length > MAX_COPIED_BYTES) return createHmac(algorithm, key).update(body).digest(encoding)
    inner.set(body, block)
    outer.write(hash(algorithm, inner.subarray(0, block + body.length), 'binary'), block, 'binary')
    return hash(algorithm, outer, encoding)
  }
}
