import { createHmac } from 'node:crypto'

/** Every secret from `listenerSecretOf` begins with this text. All other secrets of destinations are random and never begin with it. */
export const LISTENER_SECRET = 'whsec_sandbox_'

/**
 * Returns the secret with which the sandbox signs deliveries to an account's listeners (`bnpl webhooks listen`). A sandbox that
 * serves only one program, such as a test, uses it for all destinations of the account. The secret is always the same, so that the settings
 * of a handler stay valid. It is derived from the account's key, and like the key it is only valid in this sandbox.
 */
export const listenerSecretOf = (apiKey: string): string =>
  `${LISTENER_SECRET}${createHmac('sha256', apiKey).update('webhook signing secret').digest('base64url')}`
