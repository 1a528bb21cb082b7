/** Invisible characters: control characters, characters that reorder or hide text, line separators, and unpaired surrogates. */
export const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu

/**
 * Makes the characters of `UNSEEN` visible. Do this before showing text from the service, a file or the user.
 * @param keepLines true to keep line feeds and tabs, for a text whose line breaks bnpl wrote
 */
export function visible(text: string, keepLines = false): string {
  return text.replace(UNSEEN, (character) => {
    if (keepLines && (character === '\n' || character === '\t')) return character
    return NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Characters without a width that `String.prototype.trim` does not remove. */
const NO_WIDTH = '\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069'
const BLANK_ENDS = new RegExp(`^[\\s\\ufeff${NO_WIDTH}]+|[\\s\\ufeff${NO_WIDTH}]+$`, 'gu')

/**
 * Returns a typed or read value without blanks and invisible characters at its ends. Options and cells of files use the same rule, so that
 * the same id is the same at both places.
 */
export function trimmed(text: string): string {
  const plain = text.trim()
  // Almost every value begins and ends with a plain character.
  return plain.charCodeAt(0) < 0x7f && plain.charCodeAt(plain.length - 1) < 0x7f ? plain : plain.replace(BLANK_ENDS, '')
}

/** Matches a character inside a value that nobody sees and nobody typed: without a width, a control character, or a lost character. */
export const HIDDEN_INSIDE = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffd${NO_WIDTH}]`, 'u')

/** Returns a text in the form in which texts that look alike are equal: without invisible characters, in one width and one normal form. */
export function lookalikeForm(text: string): string {
  return text
    .replace(new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f\\ufeff${NO_WIDTH}]`, 'gu'), '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
}

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Returns JSON for stdout. Characters that a terminal would obey are written as `\u` escapes, so that the document is harmless to display.
 */
export function toJson(value: unknown, indent?: number): string {
  return harmlessJson(JSON.stringify(value, null, indent) ?? 'null')
}

/** Escapes the same characters as `toJson` in a text that is already JSON. */
export function harmlessJson(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns a text whose end is replaced with `…` if it has more than `max` characters. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  // An emoji, for example, consists of two units. The first one must not remain alone.
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the first `most` words, joined by `separator`. If there are more words, says how many. */
export function firstOf(words: readonly string[], most: number, separator = ', '): string {
  const more = words.length - most
  return more > 0 ? `${words.slice(0, most).join(separator)} and ${more} more` : words.join(separator)
}
