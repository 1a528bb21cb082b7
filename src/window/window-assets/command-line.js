// Command lines that users can paste. A test checks that this script and `text/shell-word.ts` return the same texts.

/** Control characters, and characters that reorder or hide text. */
export const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu

/** Returns a word for a shell, quoted if necessary. @param {string} word */
export function shellWord(word) {
  if (/^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*$/.test(word)) return word
  if (word.search(UNSEEN) < 0) return `'${word.replaceAll("'", `'\\''`)}'`
  return `$'${word.replace(/['\\]/g, '\\$&').replace(UNSEEN, escaped)}'`
}

/** @type {Record<string, string>} */
const NAMED = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** @param {string} character */
function escaped(character) {
  const bytes = new TextEncoder().encode(character)
  return NAMED[character] ?? Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

/** Returns an option with its value, as one word if the value looks like an option. @param {string} option @param {string} value */
export const optionWords = (option, value) =>
  value.startsWith('-') ? shellWord(`${option}=${value}`) : `${option} ${shellWord(value)}`

/**
 * Returns a command line, with `--` before its operands if one of them looks like an option.
 * @param {string} words the command @param {readonly string[]} operands not quoted yet @param {string} [options] already quoted
 */
export function commandLine(words, operands, options = '') {
  const quoted = operands.map(shellWord)
  const isMistakable = operands.some((each) => each.startsWith('-'))
  const parts = isMistakable ? [words, options, '--', ...quoted] : [words, ...quoted, options]
  return parts.filter((part) => part !== '').join(' ')
}
