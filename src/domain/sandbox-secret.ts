import { createHmac } from 'node:crypto'

/** The beginning of every secret from `listenerSecretOf`. No other secret of a destination begins with it. */
export const LISTENER_SECRET = 'whsec_sandbox_'

/**
 * Returns the secret with which the sandbox signs deliveries to an account's listeners (`bnpl webhooks listen`). It is derived from the
 * account's key, so that it changes only with the key, and is valid only for this account.
 */
export const listenerSecretOf = (apiKey: string): string =>
  `${LISTENER_SECRET}${createHmac('sha256', apiKey).update('webhook signing secret').digest('base64url')}`
