import { platform } from 'node:os'
import { UNSEEN } from './visible.ts'

/**
 * This file writes words and commands that the user pastes: for bash, zsh and ksh, and on Windows for PowerShell. Most commands for PowerShell
 * are the same in cmd.exe and Git Bash.
 */

/** Whether bash and zsh read a text as one literal word without quotes. A leading `=` needs quotes, because zsh replaces such a word. */
export const isShellWord = (text: string): boolean => /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*$/.test(text)

/**
 * Quotes a text, if necessary, as one word for the shells of a system. Control characters and characters that reorder text become escapes.
 */
export const shellQuoted = (text: string): string => quotedOn(platform(), text)

const quotedOn = (system: string, text: string): string =>
  system === 'win32' ? quotedForPowerShell(text) : quotedForBash(text)

/** Quotes a text as one word for bash, zsh and ksh, on every system: with escapes in `$'…'`. */
export function quotedForBash(text: string): string {
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

/**
 * A word that PowerShell, cmd.exe and Git Bash read literally. PowerShell makes a list of words with a comma, splits an option with a point or
 * a colon, and the script of npm for PowerShell removes a first `--` without quotes.
 */
const WINDOWS_WORD = /^(--?[a-z][a-z-]*|[A-Za-z0-9_./][A-Za-z0-9_./:=@+-]*)$/

/** Quotes a text for PowerShell. It reads curly quotes as straight ones, and expands `$` and backticks between double quotes. */
export function quotedForPowerShell(text: string): string {
  if (WINDOWS_WORD.test(text)) return text
  const isSeen = text.search(UNSEEN) < 0
  if (isSeen && !/["\u201c-\u201e$`%!]|\\\\|\\$/.test(text)) return `"${text}"`
  if (isSeen) return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  const units = (found: string) => Array.from({ length: found.length }, (_, at) => `$([char]${found.charCodeAt(at)})`)
  return `"${text.replace(/["\u201c-\u201e$`]/g, '`$&').replace(UNSEEN, (found) => units(found).join(''))}"`
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
  const quoted = operands.map((operand) => shellQuoted(operand))
  const isMistakable = operands.some((each) => each.startsWith('-'))
  const parts = isMistakable ? [words, options, shellQuoted('--'), ...quoted] : [words, ...quoted, options]
  return parts.filter((part) => part !== '').join(' ')
}

/** Returns the command that renames a file, so that another one can take its name. @param ending the ending of the new name */
export const moveAway = (path: string, ending: string, system: string = platform()): string =>
  [system === 'win32' ? 'move' : 'mv', quotedOn(system, path), quotedOn(system, `${path}.${ending}`)].join(' ')

/** Returns the commands that put a copy of a file in its place. The file then has no other name. */
export function replaceByCopy(path: string, system: string = platform()): string {
  const [file = '', copy = ''] = [path, `${path}.copy`].map((each) => quotedOn(system, each))
  return system === 'win32'
    ? [line('Copy-Item', file, copy), line('Move-Item', '-Force', copy, file)].join('; ')
    : [line('cp', file, copy), line('mv', copy, file)].join(' && ')
}

/** Returns the commands that remove files, if they exist, and then move another file to a path. */
export function replaceBy(
  saved: string,
  path: string,
  removed: readonly string[],
  system: string = platform(),
): string {
  const [from = '', to = '', ...others] = [saved, path, ...removed].map((each) => quotedOn(system, each))
  const commands =
    system === 'win32'
      ? [line('Remove-Item', others.join(', '), '-Force', '-ErrorAction', '0'), line('Move-Item', '-Force', from, to)]
      : [line('rm', '-f', ...others), line('mv', from, to)]
  return commands.join('; ')
}

const line = (...words: string[]) => words.join(' ')

/** Returns the command that sets a variable of the environment. */
export const setVariable = (name: string, value: string, isForPowerShell: boolean): string =>
  isForPowerShell
    ? `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`
    : `export ${name}=${quotedForBash(value)}`

/** Returns the command that ends a process, for every shell of a system. Git Bash would change `/F` to the name of a file. */
export const endCommand = (pid: number, system: string): string =>
  system === 'win32' ? `taskkill -F -PID ${pid}` : `kill ${pid}`

/** Whether the user pastes commands into PowerShell. Git Bash and MSYS2 set MSYSTEM. */
export const isPowerShell = (system: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  system === 'win32' && env.MSYSTEM === undefined

/** Returns the curl option for an address with brackets or braces, because curl would otherwise read it as a list of addresses. */
export const asItIs = (url: string): string[] => (/[[\]{}]/.test(url) ? ['--globoff'] : [])
