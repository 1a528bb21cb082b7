/** Whether a shell takes a text as one word as it stands, and does nothing with it. */
export const isShellWord = (text: string): boolean => /^[A-Za-z0-9_./:=@%+,-]+$/.test(text)

/** A text as one word for a POSIX shell: quoted where it needs to be. */
export function shellQuoted(text: string): string {
  return isShellWord(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
