/** The length of the longest text that is read as a key or secret, in bytes. */
export const MAX_SECRET_BYTES = 65_536

/**
 * Returns a key or secret that was pasted, piped or read from a file, without a byte order mark and without white space around it. Returns
 * undefined if the remaining text is empty, or contains a space or a character that is not printable ASCII, because a header cannot contain
 * such a character. An error must not show the text, because it may be a secret with a typing mistake.
 */
export function cleanSecret(text: string): string | undefined {
  const value = text.replace(/^\ufeff/, '').trim()
  return /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

/** The reason why `cleanSecret` refused a text, as the end of a sentence. The reason does not contain the text. */
export const NOT_A_SECRET = 'is empty, or contains a space, a line break or a character that is not ASCII'
