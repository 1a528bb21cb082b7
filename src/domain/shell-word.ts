/** A text as one word for a POSIX shell: quoted where it needs to be. */
export function shellQuoted(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
