import { hash } from 'node:crypto'
import { maskKey } from './masking.ts'

/**
 * The fingerprint of a secret. It may be shown, and two secrets have different ones: the last four characters of the secret and the first
 * eight hexadecimal digits of its SHA-256, such as `••••4f2a sha256:1b9d6bcd`. For a secret of fewer than 12 characters, only the digits.
 */
export function fingerprint(secret: string): string {
  const digest = `sha256:${hash('sha256', secret).slice(0, 8)}`
  return secret.length < 12 ? digest : `${maskKey(secret)} ${digest}`
}
