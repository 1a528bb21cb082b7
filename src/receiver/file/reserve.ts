import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { checkFile, checkPrivateFile, type Notice } from '../../disk/private.ts'
import { BnplError, config } from '../../errors.ts'
import { moveAway } from '../../text/shell-word.ts'

export const RESERVE_BYTES = 4 * 1024 * 1024

/** A file of zeros that is removed when the disk is full, so that the inbox can use its space. */
export interface Reserve {
  /**
   * Makes the file private.
   * @throws `config` when its path is a link, a file of another user, or a file that does not contain only zeros
   */
  check(notice: Notice): void
  /** Removes the file, so that its space is free. Returns false if there was no such file. */
  release(): boolean
  /** Creates the file again, if enough space is free. Never throws. Returns whether the reserve exists now. */
  restore(): boolean
}

/** Returns the reserve at a path. It keeps no state in memory, because the threads of a receiver share the file. */
export function createReserve(path: string): Reserve {
  const size = (): number | undefined => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found?.isFile() ? found.size : undefined
  }
  const isHeld = () => size() === RESERVE_BYTES
  return {
    check(notice) {
      if (!checkFile(path)) return
      if ((size() ?? 0) <= RESERVE_BYTES && isBlank(readFileSync(path))) {
        checkPrivateFile(path, notice)
        return
      }
      throw config(
        `${path} should contain only zeros, which keep disk space free for the inbox, but it contains other data`,
        `Move that file away: ${moveAway(path, 'old')}`,
        'RESERVE_UNUSABLE',
      )
    },
    release() {
      const had = isHeld()
      if (had) rmSync(path, { force: true })
      return had
    },
    restore: () => isHeld() || fill(path, size()),
  }
}

/**
 * Whether all bytes are 0. Compares them all at once, because calling a function for each of four million bytes would delay every start by
 * 50 ms.
 */
const isBlank = (content: Buffer): boolean => content.equals(Buffer.alloc(content.length))

/** Writes every byte of the file, because a sparse file would reserve nothing. */
function fill(path: string, found: number | undefined): boolean {
  let file: number | undefined
  try {
    if (found !== undefined) rmSync(path)
    file = openSync(path, 'wx', 0o600)
    const block = Buffer.alloc(256 * 1024)
    for (let written = 0; written < RESERVE_BYTES; ) {
      const count = writeSync(file, block, 0, Math.min(block.length, RESERVE_BYTES - written))
      if (count === 0) throw new Error('no room')
      written += count
    }
    fsyncSync(file)
    return true
  } catch {
    if (file !== undefined) rmSync(path, { force: true })
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const RESTORE_EVERY = 200

/**
 * Returns a function that runs a write. If the disk is full, it removes the reserve and runs the write again. After every `RESTORE_EVERY`
 * later writes, it tries to create the reserve again, until that succeeds.
 * @param makeRoom called before the second attempt, to free more space
 * @param onUse called when the reserve is removed
 */
export function withReserve(reserve: Reserve, makeRoom: () => void, onUse: () => void): <T>(work: () => T) => T {
  let restoreIn = 0
  return (work) => {
    try {
      const result = work()
      if (restoreIn > 0 && --restoreIn === 0 && !reserve.restore()) restoreIn = RESTORE_EVERY
      return result
    } catch (error) {
      if (!(error instanceof BnplError) || error.kind !== 'output') throw error
      if (reserve.release()) onUse()
      restoreIn = RESTORE_EVERY
      makeRoom()
      return work()
    }
  }
}
