import { createHmac } from 'node:crypto'

/**
 * How the signing secrets of listeners on the sandbox begin. Secrets of other destinations of the sandbox are random and never begin so.
 */
export const LISTENER_SECRET = 'whsec_sandbox_'

/**
 * The secret that the sandbox signs with for listeners of an account. It is the same each time, so that the settings of a handler stay
 * valid. Like the key from which it is derived, it is valid only in this sandbox.
 */
export const listenerSecretOf = (apiKey: string): string =>
  `${LISTENER_SECRET}${createHmac('sha256', apiKey).update('webhook signing secret').digest('base64url')}`
