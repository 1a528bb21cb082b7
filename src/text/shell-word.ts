import { UNSEEN } from './visible.ts'

/**
 * Whether a shell reads a text as one literal word, without quotes. (zsh reads a leading `=` as the path of a program, so such a text needs
 * quotes.)
 */
export const isShellWord = (text: string): boolean => /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*$/.test(text)

/**
 * Returns a text as one word for bash, zsh and ksh, quoted if necessary, so that the shell reads exactly the displayed text. A control
 * character, or a character that reorders text, becomes an escape in `$'…'`, which other shells do not understand. An argument cannot
 * contain NUL.
 */
export function shellQuoted(text: string): string {
  if (isShellWord(text)) return text
  if (text.search(UNSEEN) < 0) return `'${text.replaceAll("'", `'\\''`)}'`
  return `$'${text.replace(/['\\]/g, '\\$&').replace(UNSEEN, escaped)}'`
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Returns the escape of a character, byte by byte, because `\u202e` would be another character in a shell whose locale is not UTF-8. */
function escaped(character: string): string {
  const bytes = new TextEncoder().encode(character)
  return NAMED[character] ?? Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

/** Returns one of our options with its value. They are joined into one word if the value looks like an option. */
export function optionWords(option: string, value: string): string {
  return value.startsWith('-') ? shellQuoted(`${option}=${value}`) : `${option} ${shellQuoted(value)}`
}

/**
 * Returns a command line that the user can paste. If one of the operands looks like an option, all operands are put after a `--`.
 * @param words the command, such as `bnpl verify`
 * @param operands not quoted yet
 * @param options already quoted, as by `optionWords`
 */
export function commandLine(words: string, operands: readonly string[], options = ''): string {
  const quoted = operands.map(shellQuoted)
  const isMistakable = operands.some((each) => each.startsWith('-'))
  const parts = isMistakable ? [words, options, '--', ...quoted] : [words, ...quoted, options]
  return parts.filter((part) => part !== '').join(' ')
}

/** Returns the curl option that an address with brackets or braces needs. Without this option, curl reads them as a list of addresses. */
export const asItIs = (url: string): string[] => (/[[\]{}]/.test(url) ? ['--globoff'] : [])
