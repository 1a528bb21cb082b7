import { createHmac } from 'node:crypto'

/**
 * What shows that somebody knows the control token, without the token. It holds for one address: it cannot be fetched from another sandbox.
 * @param origin of the address that was called
 * @param nonce of the caller, used once
 */
export function proofOf(controlToken: string, origin: string, nonce: string): string {
  return createHmac('sha256', controlToken).update(`bnpl sandbox hello\n${origin}\n${nonce}`).digest('base64url')
}
