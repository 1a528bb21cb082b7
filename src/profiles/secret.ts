/** The longest key or secret that is read; more is not one. */
export const MAX_SECRET_BYTES = 65_536

/**
 * A key or secret as it was pasted, piped or written to a file, without what surrounds it. It goes into a header: printable ASCII
 * without blanks and nothing else.
 * @returns undefined when it is none; what it was must not be shown then either
 */
export function cleanSecret(text: string): string | undefined {
  const value = text.replace(/^\ufeff/, '').trim()
  return /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

/** Why a text that `cleanSecret` refused is none, without showing it. */
export const NOT_A_SECRET = 'has a character that none has (a blank, a line break or a non-ASCII letter), or is empty'
