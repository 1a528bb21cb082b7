import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { watchPlace } from './identity.ts'

/** The files of a database that are open as long as it is, besides itself. */
const OPEN_BESIDE = ['-wal', '-shm']

/**
 * Watches the files of a database while it is open: SQLite goes on writing to a file that was removed or replaced, where nobody finds
 * it again. A look costs three calls of the system, about 2 µs.
 * @param path of the database, after its first statement in WAL mode
 * @returns what happened, as the end of a sentence (`inbox.db was removed`); undefined while all is well
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
  /** Whether the log is shorter than SQLite left it: somebody cut it, and what is missing is gone. */
  isCut(): boolean
  close(): void
}

/**
 * Watches the length of a database's log. Two calls of the system a look, where the log is as it should be.
 * @param log the open log. Close this after the database: a file that is closed lets go of every lock this process has on it
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
    // Twice: another process may have emptied the log, as it may, between the two calls.
    isCut: () => isShort() && isShort(),
    close: () => closeSync(index),
  }
}
