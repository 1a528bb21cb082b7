import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** Whether a path leads to a regular file that begins with an ASCII text. False if the file cannot be read. */
export function beginsWith(path: string, text: string): boolean {
  try {
    if (!statSync(path).isFile()) return false
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(text.length)
      return readSync(file, head) === head.length && head.toString('latin1') === text
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
