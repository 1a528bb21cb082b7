import { hash } from 'node:crypto'
import { maskKey } from './masking.ts'

/**
 * Returns a text that identifies a secret without revealing it, such as `••••4f2a sha256:1b9d6bcd`. A secret of fewer than 12 characters
 * shows only the hash.
 */
export function fingerprint(secret: string): string {
  const digest = `sha256:${hash('sha256', secret).slice(0, 8)}`
  return secret.length < 12 ? digest : `${maskKey(secret)} ${digest}`
}
