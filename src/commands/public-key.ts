import { usage } from '../errors.ts'

/** The public key as it goes into the payment page's address. Throws `usage` for one that no address could carry, however it was kept. */
export function readPublicKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw usage('the public key has a character that no key has', undefined, 'INVALID_PUBLIC_KEY')
}
