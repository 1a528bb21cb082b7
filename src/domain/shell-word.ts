/** Whether a shell reads a text as one literal word, without quotes. */
export const isShellWord = (text: string): boolean => /^[A-Za-z0-9_./:=@%+,-]+$/.test(text)

/** A text as one word for a POSIX shell, in quotes if it needs them. */
export function shellQuoted(text: string): string {
  return isShellWord(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
