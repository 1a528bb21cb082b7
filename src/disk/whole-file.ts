import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { diskFailure } from './failure.ts'

/**
 * Writes a file that appears whole (mode 0600): first under a name that nobody can guess, then renamed. A link in its place is replaced, not
 * followed. Throws `output` when there is no room, else `config`.
 */
export function writeWholeFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw diskFailure(`${path} could not be written`, error)
  }
}
