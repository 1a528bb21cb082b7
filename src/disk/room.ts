import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns the free space on the disk of an existing path, as a text for a hint: `12.3 MB are free there`. Returns an empty text if the free
 * space is not known.
 * @param more bytes that become free when an unfinished file is removed
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

/** Returns the free space on the disk of a path, such as ` (12.3 MB are free there)`; empty if the free space is not known. */
export function roomInWords(path: string): string {
  const room = roomAt(dirname(path))
  return room === '' ? '' : ` (${room})`
}

/** Returns a number of bytes in MB, for a hint about free space. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
