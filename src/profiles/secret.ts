import { readSecretText } from '../domain/secret.ts'

export const MAX_SECRET_BYTES = 65_536

/**
 * Returns why a public key is not valid. It is part of the payment page's address, so a secret key must not be used as the public key.
 * @param apiKey the API key of the same account
 */
export function publicKeyProblem(value: string, apiKey?: string): string | undefined {
  return value === apiKey || /^\s*sk[_-]|secret/i.test(value)
    ? 'it looks like a secret key, but the public key is visible to everybody'
    : undefined
}

/** Returns why a public key cannot be part of the payment page's address; undefined if it can. */
export function publicKeyFormProblem(value: string): string | undefined {
  const read = readSecretText(value, 'key')
  return read.ok ? undefined : `it ${read.reason}`
}
