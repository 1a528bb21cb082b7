import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { watchPlace } from './identity.ts'

/** The files beside a database that are open as long as it is. */
const OPEN_BESIDE = ['-wal', '-shm']

/**
 * Watches the files of a database while it is open. SQLite does not notice when they are removed or replaced, and continues to write to the
 * removed files. A look costs three system calls, about 2 µs.
 * @param path of the database, after its first statement in WAL mode
 * @returns what happened, as a clause (`inbox.db was removed`); undefined while every file is in its place
 */
export function watchDatabase(path: string): () => string | undefined {
  const places = ['', ...OPEN_BESIDE].map((beside) => ({
    name: basename(path) + beside,
    loss: watchPlace(path + beside),
  }))
  return () => {
    for (const { name, loss } of places) {
      const lost = loss()
      if (lost !== undefined) return `${name} was ${lost}`
    }
    return undefined
  }
}

/** Of the write-ahead log's index: the size of a page and the number of pages in the log (sqlite.org/walformat.html, 2.1). */
const HEADER_BYTES = 20
const PAGE_SIZE_AT = 14
const FRAMES_AT = 16
/** Of the log itself: its header, and the header of each page. */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** The length of a write-ahead log, compared with what was written to it. */
interface LogLength {
  /** Whether the log is shorter than SQLite left it: another program cut it, and its end is lost. */
  isCut(): boolean
  close(): void
}

/**
 * Watches the length of a database's log. A look costs two system calls if the log is right.
 * @param log the open log. Close this after the database: closing a file releases every lock that this process has on it
 */
export function watchLog(path: string, log: number): LogLength {
  const index = openSync(`${path}-shm`, 'r')
  // Two views of the same bytes, in the order of this machine, as SQLite writes them.
  const header = new Uint32Array(HEADER_BYTES / 4)
  const halves = new Uint16Array(header.buffer)
  const isShort = (): boolean => {
    readSync(index, header, 0, HEADER_BYTES, 0)
    const frames = header[FRAMES_AT / 4] ?? 0
    if (frames === 0) return false
    const page = halves[PAGE_SIZE_AT / 2] ?? 0
    return fstatSync(log).size < LOG_HEADER + frames * (FRAME_HEADER + (page === 1 ? 65_536 : page))
  }
  return {
    // Twice: another process may have emptied the log between the two calls, which is allowed.
    isCut: () => isShort() && isShort(),
    close: () => closeSync(index),
  }
}
