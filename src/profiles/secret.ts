/** The length of the longest text that is read as a key or secret, in bytes. */
export const MAX_SECRET_BYTES = 65_536

/**
 * Cleans a key or secret that was pasted, piped or read from a file: the byte order mark and white space around it are removed.
 * @returns undefined when the rest is not printable ASCII without spaces, as a header requires. Do not show this text in an error,
 * because it may be a secret with a typing mistake
 */
export function cleanSecret(text: string): string | undefined {
  const value = text.replace(/^\ufeff/, '').trim()
  return /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

/** The reason why `cleanSecret` refused a text, as the end of a sentence. The reason does not contain the text. */
export const NOT_A_SECRET = 'is empty, or contains a space, a line break or a character that is not ASCII'
