export const MAX_SECRET_BYTES = 65_536

/**
 * Removes a byte order mark and the white space around a key or secret. Returns undefined unless the result is printable ASCII without
 * spaces. An error must not show the text, because it may be a secret with a typing mistake.
 */
export function cleanSecret(text: string): string | undefined {
  const value = text.replace(/^\ufeff/, '').trim()
  return /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

/** The reason why `cleanSecret` refused a text, as the end of a sentence. */
export const NOT_A_SECRET = 'is empty, or contains a space, a line break or a character that is not ASCII'

/**
 * Returns why a public key is not valid. It is part of the payment page's address, so a secret key must not be used as the public key.
 * @param apiKey the API key of the same account
 */
export function publicKeyProblem(value: string, apiKey?: string): string | undefined {
  return value === apiKey || /^\s*sk[_-]|secret/i.test(value)
    ? 'it looks like a secret key, but the public key is visible to everybody'
    : undefined
}
