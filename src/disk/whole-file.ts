import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { diskFailure } from './failure.ts'
import { type Identity, identityOfOpen } from './identity.ts'

/**
 * Writes a file (mode 0600) that appears at its path only when it is complete. A link at the path is replaced, not followed. Throws
 * `output` when the disk is full, otherwise `config`.
 * @param text the content, or a function that returns the content for the new file's identity
 */
export function writeWholeFile(path: string, text: string | ((identity: Identity) => string)): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, typeof text === 'string' ? text : text(identityOfOpen(file)))
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
