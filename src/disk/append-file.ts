import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import { BnplError, codeOf, config } from '../errors.ts'
import { watchPlace } from './database-place.ts'
import { adviceForRoom, diskFailure } from './failure.ts'
import { checkFile, checkPrivateFile, makeFile, type Notice } from './private.ts'

interface AppendFile {
  /** Appends whole lines. If that fails, removes the part that was written, and throws `output`. Throws `output` after `close`. */
  append(lines: string): void
  /** Closes the file. Throws `output` if the file is no longer at its path, because it was removed or replaced. */
  close(): void
}

interface AppendOptions {
  /** The first characters of every file of this kind, in ASCII. */
  beginning: string
  /** The kind of file, in words: `a recording`. */
  what: string
  notice: Notice
}

const LINE_FEED = 0x0a
const BLOCK_BYTES = 64 * 1024

/**
 * Opens or creates a file of lines (mode 0600) that the user named. Removes an unfinished last line. Throws `config` for a symbolic link, a
 * file of another user, or a file that does not start with `beginning`. Throws `output` when the disk is full.
 */
export function openAppendFile(path: string, { beginning, what, notice }: AppendOptions): AppendFile {
  if (isLink(path))
    throw config(
      `${path} is a symbolic link, and bnpl does not write through links`,
      'Name another file instead.',
      'SYMLINK',
    )
  if (checkFile(path) && !beginsWith(path, beginning) && lstatSync(path).size > 0)
    throw config(`${path} is not ${what}`, `Name another file, or remove ${basename(path)}.`, 'NOT_OURS')
  const file = begun(path, () => {
    makeFile(path)
    // Never open a link, even one that appeared after the check.
    return openSync(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0))
  })
  const lost = watchPlace(path)
  try {
    checkPrivateFile(path, notice)
    begun(path, () => cutTornLine(file))
  } catch (error) {
    closeSync(file)
    throw error
  }
  let isOpen = true
  return {
    append(lines) {
      // After `close`, the number of the descriptor may belong to another file.
      if (!isOpen) throw new BnplError('output', `${path} is already closed`, { code: 'FILE_CLOSED' })
      const bytes = Buffer.from(lines)
      let before = 0
      let written = 0
      try {
        before = fstatSync(file).size
        // If the disk is nearly full, one `writeSync` may write only a part, and the next one then fails with the reason.
        while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written)
      } catch (error) {
        try {
          if (written > 0 && fstatSync(file).size === before + written) ftruncateSync(file, before)
        } catch {} // The first error says more.
        throw unwritable(path, error)
      }
    },
    close() {
      isOpen = false
      closeSync(file)
      const loss = lost()
      if (loss === undefined) return
      throw new BnplError('output', `${path} was ${loss} while bnpl wrote to it, so what bnpl wrote may be lost`, {
        code: 'FILE_LOST',
        hint: 'Name a file that no other program changes.',
      })
    },
  }
}

function isLink(path: string): boolean {
  return begun(path, () => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
}

function begun<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    const cause = error instanceof BnplError && error.code === 'DISK' ? error.cause : error
    const failure = diskFailure(`${path} cannot be written`, cause)
    throw failure.code === 'DISK'
      ? failure.withHint('Name a file in a folder that exists and that you can write in.')
      : failure
  }
}

function cutTornLine(file: number): void {
  const { size } = fstatSync(file)
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, size))
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length)
    const read = readSync(file, block, 0, end - start, start)
    const at = block.subarray(0, read).lastIndexOf(LINE_FEED)
    if (at < 0) end = start
    else {
      if (start + at + 1 < size) ftruncateSync(file, start + at + 1)
      return
    }
  }
  if (size > 0) ftruncateSync(file, 0)
}

function unwritable(path: string, cause: unknown): BnplError {
  const code = codeOf(cause) ?? 'EIO'
  const advice = adviceForRoom(code, path)
  return new BnplError('output', `${path} could not be written (${code}); its earlier lines are complete`, {
    code,
    hint: advice === undefined ? 'Name a file on another disk.' : `${advice}, or name a file on another disk.`,
    cause,
  })
}

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
