import { createHmac } from 'node:crypto'

/** Control actions are `POST /_sandbox/<action>` with a JSON body and the control token in a header. */
export const CONTROL_PREFIX = '/_sandbox'

/** The header of the control token. */
export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

/** Whether an address is that of a control action. */
export const isControlAddress = (pathname: string): boolean => pathname.startsWith(`${CONTROL_PREFIX}/`)

/**
 * Proves that its maker knows the control token, without the token. It is valid for one address, so it cannot be fetched from another
 * sandbox.
 * @param origin of the address that was called
 * @param nonce of the caller, used once
 */
export function controlProof(controlToken: string, origin: string, nonce: string): string {
  return createHmac('sha256', controlToken).update(`bnpl sandbox hello\n${origin}\n${nonce}`).digest('base64url')
}
