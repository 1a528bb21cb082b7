/**
 * Returns the manual page in roff, for `man`, with the help text of the program and a section for each command.
 * @param texts the help texts, by the words of their commands. The key of the program's own help text is ''
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

function verbatim(text: string): string {
  return `.nf\n${text.trimEnd().split('\n').map(escaped).join('\n')}\n.fi`
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
    .replace(/[^\0-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
  return plain.startsWith('.') ? `\\&${plain}` : plain
}
