import { createHmac } from 'node:crypto'

/** Control actions are `POST /_sandbox/<action>` with a JSON body and the control token in a header. */
export const CONTROL_PREFIX = '/_sandbox'

export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

/** Returns whether an address is that of a control action. */
export const isControlAddress = (pathname: string): boolean => pathname.startsWith(`${CONTROL_PREFIX}/`)

/**
 * Returns a proof that a sandbox knows the control token. The proof is valid for only one address, so a false sandbox at another address
 * cannot use the proof of a real sandbox.
 * @param origin the origin of the address that the caller uses
 * @param nonce a random text of the caller, which is used only once
 */
export function controlProof(controlToken: string, origin: string, nonce: string): string {
  return createHmac('sha256', controlToken).update(`bnpl sandbox hello\n${origin}\n${nonce}`).digest('base64url')
}
