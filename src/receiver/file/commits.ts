import { setTimeout as sleep } from 'node:timers/promises'
import { beginsAsDatabase, watchDatabase, watchLog } from '../../disk/database-place.ts'
import type { Notice } from '../../disk/private.ts'
import { hasRoom } from '../../disk/room.ts'
import { BnplError } from '../../errors.ts'
import type { Batch, Inbox } from '../inbox.ts'
import { USUAL_BYTES } from './damage.ts'
import { type FileSync, openFileSync, type SyncFile } from './file-sync.ts'
import { openInboxFile } from './inbox-file.ts'

/** The inbox work that the receiver's own thread does for every delivery. */
export interface Commits extends Pick<Inbox, 'commit' | 'probe'> {
  /** Ends receiving. Every later commit and probe throws this error. */
  fail(error: BnplError): void
  /** Checks that the open files still exist. If one does not, ends receiving as `fail` does, and calls `lost`. */
  look(): void
  close(): Promise<void>
}

interface CommitsOptions {
  stateDir: string
  notice: Notice
  /** Moves the log (SQLite's WAL) into the database, in another thread. */
  checkpoint(): Promise<void>
  syncFile: SyncFile
  /**
   * Called one time, when a file of the inbox was removed, cut short or overwritten.
   * @param what the beginning of a sentence, such as `inbox.db was removed`
   */
  lost(what: string): void
}

/**
 * The size of the write-ahead log, in bytes, at which it is moved into the database. A larger log costs less, because a page that was written
 * several times is moved only once.
 */
const LOG_BYTES = 16 * 1024 * 1024
/** About how many bytes a commit writes in addition to its events, because it writes whole pages. */
const BATCH_BYTES = 32 * 1024
/**
 * About how many bytes a commit writes for every event, in addition to its body. With ids in random order, it writes about three times as
 * many.
 */
const EVENT_BYTES = 512

/** While another process writes: the milliseconds between two attempts to write. */
const AGAIN_MS = 3
/** While another process writes: the longest wait, in milliseconds. */
const BUSY_MS = 10_000

/** If fewer bytes than this are free, a probe writes as much as a delivery would. */
const AMPLE_BYTES = 64 * 1024 * 1024

/**
 * Opens the inbox's file for commits. This thread writes, and another thread waits for the disk. A write to SQLite's log takes
 * microseconds, because the kernel only copies the data into memory. No delivery is acknowledged before the log is synced.
 * `synchronous=NORMAL` only leaves out SQLite's own sync at each commit, and SQLite still keeps the file consistent (sqlite.org/wal.html,
 * "Performance Considerations").
 */
export async function openCommits({ stateDir, notice, checkpoint, syncFile, lost }: CommitsOptions): Promise<Commits> {
  const { db, path, writer, stored } = await openInboxFile(stateDir, 'NORMAL', notice)
  // SQLite must not block this thread. It would wait for the disk when it moves the log, and for another process that holds a lock.
  db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0')
  const log = openFileSync(`${path}-wal`, syncFile)
  const pages = openFileSync(path, syncFile)
  const files = soundFiles(path, pages, log, lost)
  let turn: Promise<unknown> = Promise.resolve()
  let largest = USUAL_BYTES
  /** True after a failed write, until a write of usual size succeeds. */
  let failing = false

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const write = async <T>(work: () => T): Promise<T> => {
    for (let left = BUSY_MS; ; left -= AGAIN_MS) {
      files.look()
      try {
        return stored(work)
      } catch (error) {
        failing = true
        // End receiving, because a damaged page stays damaged. Otherwise a later write to other pages would succeed, and the receiver would
        // look ready again.
        if (error instanceof BnplError && error.code === 'STATE_DAMAGED') throw files.fail(error)
        if (!(error instanceof BnplError) || error.code !== 'STATE_BUSY' || left <= 0) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
  // Move most of the log while writers continue. Then move the remaining part while writers wait, because SQLite reuses the log only after
  // all of it was moved. SQLite also syncs the pages in the second step. So sync them before, which makes that step short.
  const mover = logMover(async () => {
    files.look()
    await checkpoint()
    await files.sync(pages)
    await inTurn(async () => {
      files.look()
      await checkpoint()
    })
  })
  return {
    fail: (error) => void files.fail(error),
    look: files.lookInside,
    async commit(batch, begun) {
      if (mover.isBehind()) await mover.moved()
      for (const { body } of batch.arrivals) largest = Math.max(largest, body.length)
      const recorded = await inTurn(() => write(() => writer.commit(batch)))
      const onDisk = files.sync(log)
      begun?.()
      await onDisk
      files.look()
      mover.wrote(batch)
      return recorded
    },
    async probe() {
      // If little space is free, write as much as a delivery needs. Otherwise write very little, because this is done every second.
      const bytes = failing || !hasRoom(stateDir, AMPLE_BYTES) ? largest : 0
      await inTurn(() => write(() => writer.probe(bytes)))
      await files.sync(log)
      files.lookInside()
      if (bytes > 0) failing = false
    },
    async close() {
      await turn
      db.close()
      // Close these files after the database. Closing a file releases every lock that this process has on it, and SQLite needs its locks
      // until here.
      log.close()
      pages.close()
      files.close()
    },
  }
}

/** The open files of an inbox. After the first failure that makes them unreliable, every call throws the error of that failure. */
function soundFiles(path: string, pages: FileSync, log: FileSync, lost: CommitsOptions['lost']) {
  const length = watchLog(path, pages.file, log.file)
  const loss = watchDatabase(path)
  let broken: BnplError | undefined

  const fail = (error: BnplError): BnplError => {
    broken ??= error
    return broken
  }
  const cut = (): string | undefined => {
    if (length.isDatabaseCut()) return 'inbox.db was cut short'
    return length.isCut() ? 'inbox.db-wal was cut short' : undefined
  }
  const refuse = (what: string | undefined): void => {
    if (broken) throw broken
    if (what === undefined) return
    fail(
      new BnplError(
        'output',
        `${what} while this receiver ran. No delivery is acknowledged until the receiver is started again`,
        {
          code: 'INBOX_LOST',
        },
      ),
    )
    lost(what)
    throw broken
  }
  /**
   * Checks the files before each batch is written and again before it is acknowledged, because SQLite continues to write into a removed
   * file.
   */
  const look = (): void => refuse(broken ? undefined : (loss() ?? cut()))
  return {
    fail,
    look,
    /**
     * Checks the files as `look` does. Also checks that the database still has the first bytes of a database, because a file that was
     * emptied may have grown again. This is not done for each batch.
     */
    lookInside(): void {
      look()
      if (!beginsAsDatabase(pages.file)) refuse('inbox.db was overwritten')
    },
    async sync(file: FileSync): Promise<void> {
      try {
        await file.sync()
      } catch (cause) {
        // When a sync fails, the kernel may drop the data and then report success for the next sync. So after a failure, no sync proves
        // anything.
        throw fail(
          new BnplError(
            'output',
            `${path} could not be synced to the disk. No delivery is acknowledged until the receiver is started again on a disk that works`,
            { code: 'DISK_FAILED', cause },
          ),
        )
      }
    },
    close: () => length.close(),
  }
}

/** Returns a mover that moves the log into the database when enough bytes were written. @param move moves the log */
function logMover(move: () => Promise<void>) {
  let grown = 0
  let moving: Promise<void> | undefined
  const run = async (): Promise<void> => {
    grown = 0
    try {
      await move()
    } catch {
      // Ignore the failure, after which the log grows until the next attempt.
    } finally {
      moving = undefined
    }
  }
  return {
    /** Whether batches are written faster than the log is moved. If so, the next batch waits for `moved`. */
    isBehind: () => grown > LOG_BYTES,
    moved: async () => moving,
    wrote({ arrivals }: Pick<Batch, 'arrivals'>): void {
      grown += BATCH_BYTES
      for (const { body } of arrivals) grown += body.length + EVENT_BYTES
      if (grown > LOG_BYTES) moving ??= run()
    },
  }
}
