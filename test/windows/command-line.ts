import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** How cmd.exe and the programs that it starts read a command line. */

export interface Found {
  file: string
  args: string[]
}

export const UNKNOWN_COMMAND = 1

type Refusal = (code: string, syscall: string, what: string) => Error

/**
 * Returns the program and arguments that run after `cmd.exe /d /s /c "LINE"`.
 * @param find finds a program or a script by its word
 * @param refusal makes the error for a line in which cmd.exe would read a part as syntax
 */
export function runsAs(line: string, find: (word: string) => string | undefined, refusal: Refusal): Found {
  const [word = '', rest] = split(readOnce(line, refusal))
  const file = find(word)
  if (file === undefined) return { file: '/bin/sh', args: ['-c', `exit ${UNKNOWN_COMMAND}`] }
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args: argumentsIn(rest) }
  // cmd.exe reads the line of a script again, after it has put the arguments in.
  const inside = /^@?(.*%\*.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const filled = inside.replaceAll('%~dp0', () => `${dirname(file)}/`).replace('%*', () => rest)
  return runsAs(filled.replaceAll('\\', '/') === filled ? filled : backslashes(filled, rest), find, refusal)
}

/** Replaces the separators in the path of a script, and leaves its arguments as they are. */
const backslashes = (filled: string, rest: string) => {
  const at = filled.length - rest.length
  return filled.slice(0, at).replaceAll('\\', '/') + filled.slice(at)
}

/** Reads a line as cmd.exe does: outside of quotes, ^ makes the next character an ordinary one. */
function readOnce(line: string, refusal: Refusal): string {
  let read = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ''
    if (character === '^' && !isQuoted) {
      read += line[++at] ?? ''
      continue
    }
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && /[&|<>()]/.test(character)) throw refusal('SYNTAX', 'cmd', line)
    read += character
  }
  return read
}

function split(line: string): [word: string, rest: string] {
  const {
    word = '',
    plain = '',
    rest = '',
  } = /^\s*(?:"(?<word>[^"]*)"|(?<plain>[^\s"]+))\s*(?<rest>.*)$/s.exec(line)?.groups ?? {}
  return [word || plain, rest]
}

/** Splits arguments as programs of Windows do: backslashes are special only before a quote. */
function argumentsIn(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    while (/\s/.test(text[at] ?? 'x')) at++
    if (at >= text.length) break
    let word = ''
    let isQuoted = false
    for (; at < text.length && (isQuoted || !/\s/.test(text[at] ?? '')); at++) {
      const slashes = /^\\*/.exec(text.slice(at))?.[0].length ?? 0
      if (slashes > 0 && text[at + slashes] === '"') {
        word += '\\'.repeat(slashes >> 1)
        at += slashes
        if (slashes % 2 === 1) word += '"'
        else isQuoted = !isQuoted
      } else if (slashes > 0) {
        word += '\\'.repeat(slashes)
        at += slashes - 1
      } else if (text[at] === '"') isQuoted = !isQuoted
      else word += text[at]
    }
    found.push(word)
  }
  return found
}
