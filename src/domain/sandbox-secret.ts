import { createHmac } from 'node:crypto'

/** How the signing secrets of listeners on the sandbox begin. Secrets of other destinations of the sandbox are random and never do. */
export const LISTENER_SECRET = 'whsec_sandbox_'

/**
 * The secret that the sandbox signs with for listeners of an account. It is the same each time, so that a handler that is configured with it
 * stays configured. It opens nothing but this sandbox, as the key does that it is made of.
 */
export const listenerSecretOf = (apiKey: string): string =>
  `${LISTENER_SECRET}${createHmac('sha256', apiKey).update('webhook signing secret').digest('base64url')}`
