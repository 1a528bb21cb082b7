import { DatabaseSync } from 'node:sqlite'
import { config } from '../errors.ts'

/** SQLite's code for "somebody else holds the lock". */
const BUSY = 5

/** A lock file that is held. */
export interface Claim {
  release(): void
}

/**
 * Takes a lock file, which must be there, for this process alone. The kernel releases the lock when its holder dies, in whatever
 * way, so there is never a left-over lock to break (docs/decisions: "The lock on the profiles").
 * @returns undefined when another holds it. Throws `config` when the file is no lock file.
 */
export function tryClaim(path: string): Claim | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('BEGIN IMMEDIATE')
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === BUSY) return undefined
    throw config(`${path} is not the lock file of bnpl`, `Move it away: mv ${path} ${path}.old`, 'LOCK_UNUSABLE')
  }
}
