import { UNSEEN } from './visible.ts'

/** Whether a shell reads a text as one literal word without quotes. A leading `=` needs quotes, because zsh replaces such a word. */
export const isShellWord = (text: string): boolean => /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*$/.test(text)

/**
 * Quotes a text, if necessary, as one word for bash, zsh and ksh. Control characters and characters that reorder text become escapes in
 * `$'…'`.
 */
export function shellQuoted(text: string): string {
  if (isShellWord(text)) return text
  if (text.search(UNSEEN) < 0) return `'${text.replaceAll("'", `'\\''`)}'`
  return `$'${text.replace(/['\\]/g, '\\$&').replace(UNSEEN, escaped)}'`
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes a character byte by byte, because a shell whose locale is not UTF-8 reads `\u202e` as another character. */
function escaped(character: string): string {
  const bytes = new TextEncoder().encode(character)
  return NAMED[character] ?? Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

/** Returns an option with its value. They are joined into one word if the value looks like an option. */
export function optionWords(option: string, value: string): string {
  return value.startsWith('-') ? shellQuoted(`${option}=${value}`) : `${option} ${shellQuoted(value)}`
}

/**
 * Returns a command line that the user can paste. All operands are put after `--` if one of them looks like an option.
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

/** Returns the command that renames a file, so that another one can take its name. @param ending the ending of the new name */
export const moveAway = (path: string, ending: string): string =>
  `mv ${shellQuoted(path)} ${shellQuoted(`${path}.${ending}`)}`

/** Returns the command that ends a process, for every shell of a system. Git Bash would change `/F` to the name of a file. */
export const endCommand = (pid: number, system: string): string =>
  system === 'win32' ? `taskkill -F -PID ${pid}` : `kill ${pid}`

/** Whether the user pastes commands into PowerShell. Git Bash and MSYS2 set MSYSTEM. */
export const isPowerShell = (system: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  system === 'win32' && env.MSYSTEM === undefined

/** Returns the curl option for an address with brackets or braces, because curl would otherwise read it as a list of addresses. */
export const asItIs = (url: string): string[] => (/[[\]{}]/.test(url) ? ['--globoff'] : [])
