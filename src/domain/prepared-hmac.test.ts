import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { prepareHmac } from './prepared-hmac.ts'
import { HMAC_ALGORITHMS, HMAC_ENCODINGS } from './signature-settings.ts'

/** Lengths near the block size of each hash (64 or 128 bytes). A longer key is hashed first. */
const KEY_BYTES = [0, 1, 63, 64, 65, 127, 128, 129, 300]
/** Lengths near the maximum size of a body that is copied behind the key. */
const BODY_BYTES = [0, 1, 16_383, 16_384, 16_385, 40_000]

test('the HMAC equals the HMAC of node:crypto at every length where the computation changes', () => {
  for (const algorithm of HMAC_ALGORITHMS)
    for (const encoding of HMAC_ENCODINGS)
      for (const keyBytes of KEY_BYTES) {
        const key = Buffer.alloc(keyBytes, 'key of it')
        const hmac = prepareHmac(key, { algorithm, encoding })
        for (const bytes of BODY_BYTES) {
          const body = Buffer.alloc(bytes, 'body of it')
          expect(hmac(body)).toBe(createHmac(algorithm, key).update(body).digest(encoding))
        }
      }
})

test('a key is used as bytes and is not changed', () => {
  const settings = { algorithm: 'sha256', encoding: 'hex' } as const
  const key = new Uint8Array([1, 2, 3])
  const text = prepareHmac('sécret', settings)(Buffer.from('x'))
  expect(text).toBe(createHmac('sha256', 'sécret').update('x').digest('hex'))
  const hmac = prepareHmac(key, settings)
  expect(hmac(Buffer.from('x'))).toBe(createHmac('sha256', key).update('x').digest('hex'))
  expect([...key]).toEqual([1, 2, 3])
})
