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
