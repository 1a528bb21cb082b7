import { mkdtempSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { BnplError, codeOf } from '../errors.ts'

/**
 * Turns an error of the file system into a `BnplError`: `output` when there is no room for the file, otherwise `config`.
 * @param what the beginning of the message: which action failed, with the path
 */
export function diskFailure(what: string, cause: unknown, system: string = platform()): BnplError {
  if (cause instanceof BnplError) return cause
  const code = codeOf(cause) ?? 'unknown cause'
  const noRoom = NO_ROOM[code]
  return noRoom === undefined
    ? new BnplError('config', `${what} (${code})`, {
        code: 'DISK',
        cause,
        hint:
          (system === 'win32' ? ON_WINDOWS[code] : undefined) ?? HINTS[code] ?? 'Check the path and its permissions.',
      })
    : new BnplError('output', `${what}: ${noRoom}`, {
        code,
        cause,
        hint: `${adviceForRoom(code, pathIn(cause))}, then run the command again.`,
      })
}

function pathIn(cause: unknown): string | undefined {
  return cause instanceof Error && 'path' in cause && typeof cause.path === 'string' ? cause.path : undefined
}

const HINTS: Record<string, string> = {
  EACCES: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EPERM: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EBUSY: 'Close the program that has this file open, and run the command again.',
  EROFS:
    'Choose another folder, because this file system is read-only. BNPL_CONFIG_DIR and BNPL_STATE_DIR set the folders of bnpl.',
  ENOENT: 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.',
  ENOTDIR: 'Correct the path. A part of it is a file, not a folder.',
}

const NO_ACCESS = 'Check who has access to this file or folder (icacls), and close other programs that use it.'
/** Files have no modes on Windows, and an open file is one of the reasons for these codes. */
const ON_WINDOWS: Record<string, string> = { EACCES: NO_ACCESS, EPERM: NO_ACCESS }

/** The system's codes that mean that there is no room for a file, each with the reason in words. */
export const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file of this size is not allowed here',
}

/** Why a result file cannot be written, by the system's code: what is the same for every command. */
export const WHY_UNWRITTEN: Readonly<Record<string, string>> = {
  ...NO_ROOM,
  EACCES: 'you have no permission to write there',
  EPERM: 'you have no permission to write there',
  EBUSY: 'another program has it open, such as Excel',
  ENAMETOOLONG: 'its name is too long',
  EINVAL: 'its disk does not allow this name',
  ENOENT: 'its folder is missing',
}

/**
 * Returns the advice for a file that has no room, as the beginning of a sentence; undefined if `code` is not in `NO_ROOM`.
 * @param path the file, if it is known
 */
export function adviceForRoom(code: string, path: string | undefined, system: string = platform()): string | undefined {
  if (code === 'EFBIG') return system === 'win32' ? LARGER_FILES : 'Raise the limit for the size of a file (ulimit -f)'
  return Object.hasOwn(NO_ROOM, code) ? makeRoom(path) : undefined
}

/** Windows has no limit for the files of a user. */
const LARGER_FILES = 'Use a disk that stores larger files (FAT32 stores files of up to 4 GB)'

/** Returns the advice for a database that could not be written, as the beginning of a sentence. */
export const adviceForDatabase = (path: string): string =>
  adviceForRoom(isAtSizeLimit(path) ? 'EFBIG' : 'ENOSPC', path) ?? makeRoom(path)

/**
 * Whether a database has reached the limit for the size of a file (`ulimit -f`). SQLite does not report the system's code, so this function
 * tries to make another file larger than the files of the database. That file takes up no room on the disk, and is removed.
 */
function isAtSizeLimit(path: string): boolean {
  let folder: string | undefined
  try {
    const size = Math.max(...[path, `${path}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.size ?? 0))
    folder = mkdtempSync(join(dirname(path), '.size-'))
    const file = join(folder, 'file')
    writeFileSync(file, '')
    truncateSync(file, size + ONE_PAGE)
    return false
  } catch (error) {
    return codeOf(error) === 'EFBIG'
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The size of the smallest write of SQLite. */
const ONE_PAGE = 4096

/** Returns the advice for a full disk, as the beginning of a sentence: `Make room on that disk (12.3 MB are free there)`. */
export const makeRoom = (path: string | undefined): string =>
  `Make room on that disk${path === undefined ? '' : roomInWords(path)}`

/**
 * Returns the free space on the disk of an existing path, as a text for a hint: `12.3 MB are free there`. Returns an empty text if the free
 * space is not known.
 * @param more how many more bytes become free when an unfinished file is removed
 */
export function roomAt(path: string, more = 0): string {
  try {
    const { bavail, bsize } = statfsSync(path)
    return `${megabytes(bavail * bsize + more)} are free there`
  } catch {
    return ''
  }
}

/** Whether this many bytes are free on the disk of a path. Returns true if the free space is not known. */
export function hasRoom(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= bytes
  } catch {
    return true
  }
}

/** Returns the free space on the disk of a file, such as ` (12.3 MB are free there)`; empty if the free space is not known. */
function roomInWords(path: string): string {
  const room = roomAt(dirname(path))
  return room === '' ? '' : ` (${room})`
}

/** Returns a number of bytes in MB, for a hint about free space. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
