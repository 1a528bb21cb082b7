import type { Command } from 'commander'
import { ENGLISH } from '../language/language.ts'

/**
 * Returns the help text of each command of a program, by the words of the command. The key of the program's own help text is ''.
 * @param load loads the options of every command. The program's own help is written before, as for `bnpl --help`
 * @param written returns what the program has written since the last call
 */
export async function helpTextsOf(
  program: Command,
  load: () => Promise<void>,
  written: () => string,
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  const add = (command: Command, words: string[]): void => {
    command.outputHelp()
    texts[words.join(' ')] = written()
    if (words.length > 0) for (const each of command.commands) add(each, [...words, each.name()])
  }
  add(program, [])
  await load()
  for (const each of program.commands) add(each, [each.name()])
  return texts
}

/**
 * Returns the manual page in roff, for `man`, with the help text of the program and a section for each command.
 * @param texts the help texts, by the words of their commands. The key of the program's own help text is ''
 * @param inLanguage returns a heading in the language of the help texts
 */
export function toManual(
  texts: Readonly<Record<string, string>>,
  version: string,
  inLanguage: (text: string) => string = ENGLISH,
): string {
  const { '': own = '', ...all } = texts
  // The scripts of completion call a command that no user types.
  const commands = Object.entries(all).filter(([name]) => !name.startsWith('__'))
  const title = inLanguage('the operations tool of merchants that sell in installments')
  return [
    `.TH BNPL 1 "" "bnpl ${version}" "${escaped(inLanguage('User Commands'))}"`,
    '.ad l',
    `${inLanguage('.SH NAME')}\nbnpl \\- ${escaped(title)}`,
    `${escapedSigns(inLanguage('.SH DESCRIPTION'))}\n${verbatim(own)}`,
    ...commands.map(([name, text]) => `.SH "BNPL ${escaped(name.toUpperCase())}"\n${verbatim(text)}`),
    '',
  ].join('\n')
}

/** Returns a text with its own lines, without the indentation of `man`: the longest lines already have the width of a terminal. */
function verbatim(text: string): string {
  return `.in 0\n.nf\n${text.trimEnd().split('\n').map(escaped).join('\n')}\n.fi`
}

/** Escapes what roff would interpret or replace: backslashes, hyphens, quotes, a dot at the start, and all characters outside ASCII. */
function escaped(line: string): string {
  const plain = line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
  return escapedSigns(plain.startsWith('.') ? `\\&${plain}` : plain)
}

const escapedSigns = (text: string): string =>
  text.replace(/[^\0-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
