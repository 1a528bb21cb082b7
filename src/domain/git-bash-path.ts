/**
 * Returns what to do about a path of an address that a shell has changed; undefined if the text is not such a path. Git Bash for Windows
 * changes an argument such as `/bnpl` to the name of a file, such as `C:/Program Files/Git/bnpl`.
 */
export function gitBashAdvice(text: string): string | undefined {
  if (!/^[A-Za-z]:[\\/]/.test(text)) return undefined
  const path = text
    .slice(2)
    .replaceAll('\\', '/')
    .replace(/^.*\/Git(?=\/)/i, '')
    .replace(/^\/usr(?=\/)/, '')
  return `Git Bash has changed the path to the name of a file. Set MSYS_NO_PATHCONV=1 for the command, or write the path with two slashes at its beginning: /${path}`
}
