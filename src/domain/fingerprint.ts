import { hash } from 'node:crypto'
import { maskKey } from './masking.ts'

/**
 * What may be shown of a secret so that two can be told apart: its last four characters and the first eight hexadecimal digits of its
 * SHA-256, as `••••4f2a sha256:1b9d6bcd`. Of a short secret the digits alone.
 */
export function fingerprint(secret: string): string {
  const digest = `sha256:${hash('sha256', secret).slice(0, 8)}`
  return secret.length < 12 ? digest : `${maskKey(secret)} ${digest}`
}
