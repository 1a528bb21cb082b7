import { createHmac } from 'node:crypto'

/** Control actions are `POST /_sandbox/<action>` with a JSON body and the control token in a header. */
export const CONTROL_PREFIX = '/_sandbox'

/** The header that contains the control token. */
export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'

/** Whether an address is that of a control action. */
export const isControlAddress = (pathname: string): boolean => pathname.startsWith(`${CONTROL_PREFIX}/`)

/**
 * A proof of the control token, which does not contain the token itself. It is only valid for one address, so it cannot be fetched from
 * another sandbox.
 * @param origin of the address that was called
 * @param nonce of the caller, used once
 */
export function controlProof(controlToken: string, origin: string, nonce: string): string {
  return createHmac('sha256', controlToken).update(`bnpl sandbox hello\n${origin}\n${nonce}`).digest('base64url')
}
