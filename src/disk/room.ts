import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** The system's codes that mean that there is no room for a file, each with the reason in words. */
export const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file of this size is not allowed here',
}

/**
 * Returns the advice for a file that has no room, as the beginning of a sentence; undefined if `code` is not in `NO_ROOM`.
 * @param path the file, if it is known
 */
export function adviceForRoom(code: string, path: string | undefined): string | undefined {
  if (code === 'EFBIG') return 'Raise the limit for the size of a file (ulimit -f)'
  return Object.hasOwn(NO_ROOM, code) ? makeRoom(path) : undefined
}

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
