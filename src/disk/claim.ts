import { DatabaseSync } from 'node:sqlite'
import { BnplError, config } from '../errors.ts'
import { moveAway } from '../text/shell-word.ts'
import { identityOf, isSame, type Loss, watchPlace } from './database-place.ts'
import { makeRoom } from './failure.ts'
import { checkPrivateFile, makeFile, type Notice } from './private.ts'
import { primaryCode } from './sqlite.ts'

/**
 * Primary error codes of SQLite. They mean, in this order: another process has the lock, the disk failed, the disk is full, the file is not
 * a database.
 */
const BUSY = 5
const IO = 10
const FULL = 13
const NOT_A_DATABASE = 26

const TRIES = 10

export interface Claim {
  /** Returns what happened to the file, or undefined while it is at its path. A lock on a removed file does not stop other processes. */
  loss(): Loss | undefined
  release(): void
}

/**
 * Locks a file for this process, and creates the file if it is missing. Returns undefined when another process has the lock. The kernel
 * releases the lock when the process ends. Throws `config` when the file cannot be used as a lock file, and `output` when the disk is full
 * or reports an error.
 */
export function tryClaim(path: string, notice: Notice = () => {}): Claim | undefined {
  for (let tries = 1; ; tries++) {
    makeFile(path)
    const found = identityOf(path)
    const lock = openLock(path)
    if (!begin(lock, path)) return undefined
    // If the file was removed before it was locked, this lock stops no other process, so try again with a new file.
    if (isSame(found, identityOf(path))) {
      checkPrivateFile(path, notice)
      return { loss: watchPlace(path), release: () => void (lock.isOpen && lock.close()) }
    }
    lock.close()
    if (tries === TRIES) throw closed(path, undefined)
  }
}

function begin(lock: DatabaseSync, path: string): boolean {
  try {
    // The journal is kept in memory, so the lock needs no other file and no disk space.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return true
  } catch (error) {
    lock.close()
    const code = primaryCode(error)
    if (code === BUSY) return false
    if (code === IO || code === FULL) throw noRoom(path, error)
    if (code !== NOT_A_DATABASE) throw closed(path, error)
    throw config(
      `${path} is not the lock file of bnpl`,
      `Move that file away: ${moveAway(path, 'old')}`,
      'LOCK_UNUSABLE',
    )
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
  new BnplError('output', `the lock file ${path} could not be written: the disk is full or reported an error`, {
    code: 'LOCK_FULL',
    hint: `${makeRoom(path)}, then run the command again.`,
    cause,
  })

const closed = (path: string, cause: unknown) =>
  new BnplError('config', `the lock file ${path} cannot be opened`, {
    code: 'LOCK_UNUSABLE',
    hint: 'Check its permissions. The file may belong to root, if an earlier command ran under sudo.',
    cause,
  })
