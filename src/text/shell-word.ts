import { UNSEEN } from './visible.ts'

/** Whether a shell reads a text as one literal word, without quotes. zsh reads a leading `=` as the path of a program. */
export const isShellWord = (text: string): boolean => /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*$/.test(text)

/**
 * A text as one word for bash, zsh and ksh, quoted if necessary, so that the pasted text is the displayed text. A control character, or one
 * that reorders text, becomes an escape in `$'…'`, which no other shell reads. An argument cannot hold NUL.
 */
export function shellQuoted(text: string): string {
  if (isShellWord(text)) return text
  if (text.search(UNSEEN) < 0) return `'${text.replaceAll("'", `'\\''`)}'`
  return `$'${text.replace(/['\\]/g, '\\$&').replace(UNSEEN, escaped)}'`
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Write the bytes of the character, because a shell whose locale is not UTF-8 would read `\u202e` as another character. */
function escaped(character: string): string {
  const bytes = new TextEncoder().encode(character)
  return NAMED[character] ?? Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

/** One of our options with its value, joined into one word if the value looks like an option. */
export function optionWords(option: string, value: string): string {
  return value.startsWith('-') ? shellQuoted(`${option}=${value}`) : `${option} ${shellQuoted(value)}`
}

/**
 * A command line to paste. Values from outside are operands, after a `--` if one of them looks like an option.
 * @param words the command, `bnpl verify`
 * @param operands as they are, not quoted
 * @param options ready to be pasted, as `optionWords` gives them
 */
export function commandLine(words: string, operands: readonly string[], options = ''): string {
  const quoted = operands.map(shellQuoted)
  const isMistakable = operands.some((each) => each.startsWith('-'))
  const parts = isMistakable ? [words, options, '--', ...quoted] : [words, ...quoted, options]
  return parts.filter((part) => part !== '').join(' ')
}

/** The curl option that takes an address literally. Without this option, curl reads brackets and braces as a list of addresses. */
export const asItIs = (url: string): string[] => (/[[\]{}]/.test(url) ? ['--globoff'] : [])
