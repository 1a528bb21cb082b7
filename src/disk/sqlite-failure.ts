import { BnplError, config } from '../errors.ts'
import { moveAway } from '../text/shell-word.ts'
import { adviceForDatabase } from './failure.ts'

const BUSY = 5
const READ_ONLY = 8
const IO = 10
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

/** Whether an error means that another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** Whether an error means that a file is not an intact SQLite database. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** Turns an error of SQLite about a file into a `BnplError`. Any other error is returned unchanged. */
export function sqliteFailure(path: string, error: unknown): unknown {
  const code = primaryCode(error)
  switch (code) {
    case undefined:
      return error
    case CORRUPT:
    case NOT_A_DATABASE:
      return damaged(path)
    case BUSY:
      return config(
        `${path} was locked by another process for too long`,
        'Run the command again when that process has finished.',
        'STATE_BUSY',
      )
    case READ_ONLY:
      return config(
        `${path} is read-only`,
        'Check its owner and mode, and how its disk is mounted, or name another folder with BNPL_STATE_DIR.',
        'STATE_READ_ONLY',
      )
    case FULL:
    case IO:
      return new BnplError('output', `${path} could not be written: the disk is full or reported an error`, {
        code: 'STATE_FULL',
        hint: `${adviceForDatabase(path)}, or name another folder with BNPL_STATE_DIR.`,
        cause: error,
      })
    default:
      return config(
        `${path} cannot be used (SQLite error ${code})`,
        'Check its owner and mode, or name another folder with BNPL_STATE_DIR.',
        'STATE_UNUSABLE',
      )
  }
}

/** Returns the error for a file that is not an intact SQLite database. */
export const damaged = (path: string): BnplError =>
  config(
    `${path} is damaged and was not changed`,
    `Move the file away, so that bnpl can create a new one: ${moveAway(path, 'damaged')}`,
    'STATE_DAMAGED',
  )

/** Returns SQLite's primary result code of an error, or undefined for an error that is not SQLite's. */
export function primaryCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined
  return Number(error.errcode) & 0xff
}
