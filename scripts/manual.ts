/**
 * The manual page, from the texts of `--help`: one chapter for the program and one for each command.
 * @param texts help texts by the words that name the command; the program's own by no word at all
 * @returns roff, for `man`
 */
export function toManual(texts: Readonly<Record<string, string>>, version: string): string {
  const { '': own = '', ...commands } = texts
  return [
    `.TH BNPL 1 "" "bnpl ${version}" "User Commands"`,
    '.SH NAME\nbnpl \\- the operations tool of merchants that sell in installments',
    `.SH DESCRIPTION\n${verbatim(own)}`,
    ...Object.entries(commands).map(([name, text]) => `.SH "BNPL ${escaped(name.toUpperCase())}"\n${verbatim(text)}`),
    '',
  ].join('\n')
}

/** Lines as they are, neither filled nor hyphenated. */
function verbatim(text: string): string {
  return `.nf\n${text.trimEnd().split('\n').map(escaped).join('\n')}\n.fi`
}

/** What roff would take for its own: backslashes, hyphens and quotes that people copy, a line's first dot, and every sign beyond ASCII. */
function escaped(line: string): string {
  const plain = line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\0-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
  return plain.startsWith('.') ? `\\&${plain}` : plain
}
