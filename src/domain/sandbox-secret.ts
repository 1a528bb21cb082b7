import { createHmac } from 'node:crypto'

/** The beginning of the signing secrets of listeners on the sandbox. Secrets of other destinations are random and never begin like this. */
export const LISTENER_SECRET = 'whsec_sandbox_'

/**
 * The secret with which the sandbox signs for listeners of an account. It is always the same, so that the settings of a handler stay valid.
 * It is derived from the account's key, and like the key it is only valid in this sandbox.
 */
export const listenerSecretOf = (apiKey: string): string =>
  `${LISTENER_SECRET}${createHmac('sha256', apiKey).update('webhook signing secret').digest('base64url')}`
