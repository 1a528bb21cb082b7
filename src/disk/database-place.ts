import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'

const OPEN_BESIDE = ['-wal', '-shm']

/**
 * Returns a function that says which file of an open database is not at its path any more (`inbox.db was replaced`). The function returns
 * undefined while all files are in place. SQLite does not notice a removed file, and continues to write to it.
 * @param path the path of a database that already executed a statement in WAL mode
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

/** How many bytes are read from the header of a `-shm` file, and where three numbers are in it (sqlite.org/walformat.html, 2.1). */
const HEADER_BYTES = 24
const PAGE_SIZE_AT = 14
const FRAMES_AT = 16
const PAGES_AT = 20
/** The sizes of the log's header and of the header before each page in the log, in bytes (sqlite.org/fileformat.html, 4.1). */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** The first bytes of every database (sqlite.org/fileformat.html, 1.3). */
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1')

/** Whether an open file starts like a database. False for an empty file. */
export function beginsAsDatabase(file: number): boolean {
  const begin = Buffer.alloc(MAGIC.length)
  readSync(file, begin, 0, begin.length, 0)
  return begin.equals(MAGIC)
}

/**
 * Whether the file at a path is a database, and not a link or a pipe. Do not call this for a file that this process has open, because
 * closing the file would release every lock on it.
 */
export function isDatabaseAt(path: string): boolean {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    return beginsAsDatabase(file)
  } catch {
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

interface LogLength {
  /** Whether another program has cut the database to less than its length at the last commit. */
  isDatabaseCut(): boolean
  /** Whether another program has cut off the end of the log. */
  isCut(): boolean
  close(): void
}

/**
 * Watches the lengths of a database and its log.
 * @param log the open log. Close it and the result after SQLite has closed the database, because closing a file releases all locks of this
 * process on that file
 */
export function watchLog(path: string, database: number, log: number): LogLength {
  const index = openSync(`${path}-shm`, 'r')
  // Typed arrays, because SQLite writes these numbers in this machine's byte order.
  const header = new Uint32Array(HEADER_BYTES / 4)
  const halves = new Uint16Array(header.buffer)
  const pageBytes = (): number => {
    const page = halves[PAGE_SIZE_AT / 2] ?? 0
    return page === 1 ? 65_536 : page
  }
  const isShort = (): boolean => {
    readSync(index, header, 0, HEADER_BYTES, 0)
    const frames = header[FRAMES_AT / 4] ?? 0
    if (frames === 0) return false
    return fstatSync(log).size < LOG_HEADER + frames * (FRAME_HEADER + pageBytes())
  }
  let length = fstatSync(database).size
  return {
    isDatabaseCut() {
      const { size } = fstatSync(database)
      if (size < length) {
        readSync(index, header, 0, HEADER_BYTES, 0)
        const committed = (header[PAGES_AT / 4] ?? 0) * pageBytes()
        if (committed === 0 || size < committed) return true
      }
      length = size
      return false
    },
    // Check twice, because another process may have emptied the log between the two system calls of one check.
    isCut: () => isShort() && isShort(),
    close: () => closeSync(index),
  }
}

/** Identifies a file. A new file under the same name has another identity, even with the same content. */
export interface Identity {
  device: bigint
  inode: bigint
}

/** Returns the identity of the file at a path, or undefined if it does not exist or cannot be read. Does not follow links. */
export function identityOf(path: string): Identity | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return found && { device: found.dev, inode: found.ino }
  } catch {
    return undefined
  }
}

export function identityOfOpen(file: number): Identity {
  const { dev, ino } = fstatSync(file, { bigint: true })
  return { device: dev, inode: ino }
}

/** Whether both identities are known, and are of the same file. */
export const isSame = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one !== undefined && one.device === other?.device && one.inode === other.inode

export type Loss = 'removed or renamed' | 'replaced'

/**
 * Watches the path of an open file. The returned function returns what happened to the file, or undefined if the file is still at the path.
 * The file must stay open, because a new file can get the inode of a file that was closed and removed.
 */
export function watchPlace(path: string): () => Loss | undefined {
  const opened = identityOf(path)
  return () => {
    const now = identityOf(path)
    if (now === undefined) return 'removed or renamed'
    return isSame(opened, now) ? undefined : 'replaced'
  }
}
