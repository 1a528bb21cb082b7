import { DatabaseSync } from 'node:sqlite'
import { BnplError, config } from '../errors.ts'

/** SQLite's codes for "somebody else holds the lock" and for a file of another kind. */
const BUSY = 5
const NOT_A_DATABASE = 26

/** A lock file that is held. */
export interface Claim {
  release(): void
}

/**
 * Takes a lock file, which must be there, for this process alone. The kernel releases the lock when its holder dies, in whatever
 * way, so there is never a left-over lock to break (docs/decisions: "The lock on the profiles").
 * @returns undefined when another holds it. Throws `config` when the file is no lock file, or may not be opened.
 */
export function tryClaim(path: string): Claim | undefined {
  const lock = openLock(path)
  try {
    lock.exec('BEGIN IMMEDIATE')
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === BUSY) return undefined
    if (errcode !== NOT_A_DATABASE) throw closed(path, error)
    throw config(`${path} is not the lock file of bnpl`, `Move it away: mv ${path} ${path}.old`, 'LOCK_UNUSABLE')
  }
}

function openLock(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch (cause) {
    throw closed(path, cause)
  }
}

const closed = (path: string, cause: unknown) =>
  new BnplError('config', `the lock file ${path} cannot be opened`, {
    code: 'LOCK_UNUSABLE',
    hint: 'Check its owner and mode: what a command under sudo made belongs to root.',
    cause,
  })
