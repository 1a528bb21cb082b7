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
  /** Checks that the open files still exist. If they do not, ends receiving as `fail` does, and calls `lost`. */
  look(): void
  close(): Promise<void>
}

interface CommitsOptions {
  stateDir: string
  notice: Notice
  /** Moves the log (SQLite's WAL) into the database, in another thread. */
  checkpoint(): Promise<void>
  syncFile: SyncFile
  /** Called once when a file of the inbox was removed. @param what the beginning of a sentence, such as `inbox.db was removed` */
  lost(what: string): void
}

/**
 * How many bytes are written to the log before it is moved into the database. A page that is written repeatedly in that time is moved only
 * once.
 */
const LOG_BYTES = 16 * 1024 * 1024
/**
 * Approximately how many bytes a commit writes in addition to the bodies: its last pages, and some bytes for every event. Ids in random
 * order need three times as many.
 */
const BATCH_BYTES = 32 * 1024
const EVENT_BYTES = 512

/** While another process writes: milliseconds between two attempts, and the longest wait. */
const AGAIN_MS = 3
const BUSY_MS = 10_000

/** If fewer bytes than this are free, a probe writes as much as a delivery would. */
const AMPLE_BYTES = 64 * 1024 * 1024

/**
 * Writes in this thread, and waits for the disk in another. Writing to SQLite's log takes microseconds, because the kernel keeps it in
 * memory, and no delivery is acknowledged before the log is synced. `synchronous=NORMAL` only leaves out SQLite's own sync at each commit;
 * SQLite still keeps the file consistent (sqlite.org/wal.html, "Performance Considerations").
 */
export async function openCommits({ stateDir, notice, checkpoint, syncFile, lost }: CommitsOptions): Promise<Commits> {
  const { db, path, writer, stored } = await openInboxFile(stateDir, 'NORMAL', notice)
  // This thread must not be blocked: moving the log would wait for the disk, and another process may hold its lock for any length of time.
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
        // A damaged page stays damaged. Without this, a write that does not touch the page would make the receiver look ready again.
        if (error instanceof BnplError && error.code === 'STATE_DAMAGED') throw files.fail(error)
        if (!(error instanceof BnplError) || error.code !== 'STATE_BUSY' || left <= 0) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
  // First most of the log is moved while writers continue, then the rest while they wait, because SQLite reuses the log only after all of
  // it was moved. In the second step SQLite syncs the pages while every writer waits, so sync them before.
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
      // Close this last. Closing a file releases every lock that this process has on it, and SQLite needs its locks until here.
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
  /** Checks before each batch is written and again before it is acknowledged, because SQLite continues to write into a removed file. */
  const look = (): void => refuse(broken ? undefined : (loss() ?? cut()))
  return {
    fail,
    look,
    /**
     * Also checks that the file still begins like a database, because an emptied file may have grown again. This is not done for each
     * batch.
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

/** Moves the log into the database when enough was written. @param move does the moving */
function logMover(move: () => Promise<void>) {
  let grown = 0
  let moving: Promise<void> | undefined
  const run = async (): Promise<void> => {
    grown = 0
    try {
      await move()
    } catch {
      // The log then grows until the next attempt.
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
