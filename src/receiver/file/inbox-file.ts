import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { checkFile, checkPrivateFile, type Notice } from '../../disk/private.ts'
import { damaged, openDatabase, type SqliteFile, sqliteFailure } from '../../disk/sqlite.ts'
import { BnplError, config } from '../../errors.ts'
import { moveAway } from '../../text/shell-word.ts'
import { INBOX_MIGRATIONS } from './schema.ts'
import { createInboxWriter, type InboxWriter } from './writer.ts'

/** How much free space a delivery is assumed to need, in bytes. Few deliveries need more. */
export const USUAL_BYTES = 64 * 1024

/** A file of up to this size is checked as a whole, which takes about a tenth of a second. */
const WHOLE_BYTES = 64 * 1024 * 1024

/** Storing a delivery can change any page of these tables. The table `events` is not among them, because it only gets a new row at its end. */
const TOUCHED = ['destinations', 'seen', 'forwards', 'facts']

/**
 * Checks the pages of an inbox before the first delivery, because a receiver that looked ready could refuse deliveries later. In a large
 * inbox, checks only the tables of `TOUCHED`.
 * @throws `config` when the file is damaged, and the errors of SQLite
 */
export function refuseDamaged(db: DatabaseSync, path: string): void {
  const checks = statSync(path).size <= WHOLE_BYTES ? [''] : TOUCHED.map((table) => `('${table}')`)
  for (const what of checks) {
    const [found] = db.prepare(`PRAGMA quick_check${what}`).all()
    if (found?.quick_check !== 'ok') throw damaged(path)
  }
}

/**
 * Throws `config` if the inbox was emptied: it has 0 bytes, and files of an earlier receiver are beside it. A receiver creates those files
 * after the tables of its inbox.
 */
export function refuseEmptied(stateDir: string): void {
  const path = join(stateDir, KEPT_FILES.inbox.name)
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
  const { inboxOwner, inboxLock, inboxReserve } = KEPT_FILES
  if ([inboxOwner, inboxLock, inboxReserve].some(({ name }) => existsSync(join(stateDir, name)))) throw damaged(path)
}

export interface InboxFile {
  db: DatabaseSync
  path: string
  writer: InboxWriter
  reserve: Reserve
  /** Runs `work`. If it throws, its transaction is rolled back, and the error becomes a `BnplError`. */
  guarded<T>(work: () => T): T
  /** Works like `guarded`. If the disk is full, the reserve file is removed, and `work` runs again. */
  stored<T>(work: () => T): T
}

export const INBOX_FILE = KEPT_FILES.inbox.name

/** With this size, storing events takes a fifth less time than with SQLite's default of 4096 bytes. Larger pages slow down the index. */
const PAGE_BYTES = 8192

/**
 * Opens `inbox.db` in the state directory.
 * @param notice called after a repair, and when the reserve file is removed because the disk is full
 */
export async function openInboxFile(
  stateDir: string,
  synchronous: SqliteFile['synchronous'],
  notice: Notice,
): Promise<InboxFile> {
  const plan = { name: INBOX_FILE, steps: INBOX_MIGRATIONS, synchronous, pageSize: PAGE_BYTES }
  refuseEmptied(stateDir)
  const { db, path } = await openDatabase(stateDir, plan, notice)
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw sqliteFailure(path, error)
    }
  }
  const reserve = createReserve(join(stateDir, KEPT_FILES.inboxReserve.name))
  const attempt = withReserve(
    reserve,
    () => emptyLog(db),
    () => notice('the disk is full, so the inbox uses its reserve of 4 MiB. Make room now'),
  )
  const writer = guarded(() => createInboxWriter(db))
  return { db, path, writer, reserve, guarded, stored: (work) => attempt(() => guarded(work)) }
}

function emptyLog(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Ignore the error, because the next commit fails in the same way and reports it.
  }
}

export const RESERVE_BYTES = 4 * 1024 * 1024

/** A file of zeros that is removed when the disk is full, so that deliveries are still acknowledged while somebody makes room. */
interface Reserve {
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
