import { DatabaseSync } from 'node:sqlite'
import { BnplError, config } from '../errors.ts'
import { identityOf, isSame, type Loss, watchPlace } from './identity.ts'
import { checkPrivateFile, makeFile, type Notice } from './private.ts'
import { roomInWords } from './room.ts'
import { primaryCode } from './sqlite-failure.ts'

/** SQLite's primary codes for "another process holds the lock", a failing or full disk, and a file of another kind. */
const BUSY = 5
const IO = 10
const FULL = 13
const NOT_A_DATABASE = 26

/** How often to try again when the lock file is removed or replaced between opening and locking it. */
const TRIES = 10

/** A lock file that this process holds. */
export interface Claim {
  /** What happened to the file; undefined while it is in its place. After its removal the lock excludes no other process. */
  loss(): Loss | undefined
  /** A second call does nothing. */
  release(): void
}

/**
 * Locks a file for this process alone, and creates the file if it is missing. The kernel releases the lock however its holder ends, so no
 * stale lock can remain (docs/decisions: "The lock on the profiles").
 * @returns undefined when another process holds it. Throws `config` when the file is not a lock file, is a link or belongs to another
 * user, or may not be opened; `output` when there is no room for it.
 */
export function tryClaim(path: string, notice: Notice = () => {}): Claim | undefined {
  for (let tries = 1; ; tries++) {
    makeFile(path)
    const found = identityOf(path)
    const lock = openLock(path)
    if (!begin(lock, path)) return undefined
    // The file may have been removed meanwhile. Its lock would then exclude no other process.
    if (isSame(found, identityOf(path))) {
      checkPrivateFile(path, notice)
      return { loss: watchPlace(path), release: () => void (lock.isOpen && lock.close()) }
    }
    lock.close()
    if (tries === TRIES) throw closed(path, undefined)
  }
}

/** @returns false, and closes it, when another process holds the lock */
function begin(lock: DatabaseSync, path: string): boolean {
  try {
    // The file stays empty. Its journal is kept in memory, so the lock needs no other file and no disk space.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return true
  } catch (error) {
    lock.close()
    const code = primaryCode(error)
    if (code === BUSY) return false
    if (code === IO || code === FULL) throw noRoom(path, error)
    if (code !== NOT_A_DATABASE) throw closed(path, error)
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

const noRoom = (path: string, cause: unknown) =>
  new BnplError('output', `the lock file ${path} could not be written: no room is left, or the disk failed`, {
    code: 'LOCK_FULL',
    hint: `Make room there${roomInWords(path)}, then run it again.`,
    cause,
  })

const closed = (path: string, cause: unknown) =>
  new BnplError('config', `the lock file ${path} cannot be opened`, {
    code: 'LOCK_UNUSABLE',
    hint: 'Check its owner and mode: a file that a command made under sudo belongs to root.',
    cause,
  })
