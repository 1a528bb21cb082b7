import { closeSync, fdatasync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginsAsDatabase, watchDatabase, watchLog } from '../../disk/database-place.ts'
import { hasRoom } from '../../disk/failure.ts'
import type { Notice } from '../../disk/private.ts'
import { BnplError } from '../../errors.ts'
import type { Batch, Inbox, StoredEvent } from '../inbox.ts'
import { openInboxFile, USUAL_BYTES } from './inbox-file.ts'

/** Syncs a file to the disk. One sync is enough for all data that was written before it began. */
interface FileSync {
  sync(): Promise<void>
  readonly file: number
  close(): void
}

export type SyncFile = (file: number) => Promise<void>

/** Syncs the data of an open file in a thread of Node's pool, so that the calling thread does not wait. */
export const syncData: SyncFile = (file) =>
  new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()))
  })

/**
 * Opens the file at a path, to sync it with `syncFile`. Throws a system error if the file cannot be opened. The file is also opened for
 * writing, because Windows syncs no file that is open only for reading.
 */
export function openFileSync(path: string, syncFile: SyncFile): FileSync {
  const file = openSync(path, 'r+')
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    const begun = syncFile(file).finally(() => {
      if (running === begun) running = undefined
    })
    running = begun
    return begun
  }
  return {
    file,
    sync() {
      if (running === undefined) return start()
      // A running sync may miss data that was written after it began.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    close: () => closeSync(file),
  }
}

export interface Commits extends Pick<Inbox, 'commit' | 'probe'> {
  /**
   * Given events in the order of their numbers, returns those before the first event that is not synced yet. Another thread can read an
   * event as soon as it is written, but a power failure before the sync would lose it, so it must not be printed or forwarded yet.
   */
  durable(events: StoredEvent[]): StoredEvent[]
  /** Ends receiving: every later commit and probe throws this error. */
  fail(error: BnplError): void
  /** If an open file was removed, replaced or shortened, ends receiving as `fail` does, calls `lost`, and throws. */
  look(): void
  close(): Promise<void>
}

interface CommitsOptions {
  stateDir: string
  notice: Notice
  checkpoint(): Promise<void>
  syncFile: SyncFile
  /**
   * Called one time, when a file of the inbox was lost.
   * @param what the beginning of a sentence, such as `inbox.db was replaced`
   */
  lost(what: string): void
}

/**
 * The log is moved into the database when it has grown by this many bytes. A larger log saves work, because a page that was written several
 * times is moved only once.
 */
const LOG_BYTES = 16 * 1024 * 1024
/** A commit writes about this many bytes besides its events, because it writes whole pages. */
const BATCH_BYTES = 32 * 1024
const EVENT_BYTES = 512

const AGAIN_MS = 3
/** A write fails if another process writes for longer than this. */
const BUSY_MS = 10_000

const AMPLE_BYTES = 64 * 1024 * 1024

/**
 * Opens the inbox's file for commits. SQLite does not sync its log, because `synchronous` is `NORMAL` (sqlite.org/wal.html, "Performance
 * Considerations"). A thread of Node's pool syncs the log before a delivery is acknowledged.
 */
export async function openCommits({ stateDir, notice, checkpoint, syncFile, lost }: CommitsOptions): Promise<Commits> {
  const { db, path, writer, stored } = await openInboxFile(stateDir, 'NORMAL', notice)
  // SQLite must not block this thread while it moves the log into the database, or while another process has a lock.
  db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0')
  const log = openFileSync(`${path}-wal`, syncFile)
  const pages = openFileSync(path, syncFile)
  const files = soundFiles(path, pages, log, lost)
  let turn: Promise<unknown> = Promise.resolve()
  let largest = USUAL_BYTES
  let failing = false
  /** For each batch that is written and not synced, the number of its first event. */
  const unsynced = new Set<number>()

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
        // Stop receiving when a page is damaged. A later write to other pages could succeed, and the receiver would look ready.
        if (error instanceof BnplError && error.code === 'STATE_DAMAGED') throw files.fail(error)
        if (!(error instanceof BnplError) || error.code !== 'STATE_BUSY' || left <= 0) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
  // Move the log in two steps. New deliveries are written during the first step, so that they wait only while the second step moves the
  // small rest. Without the second step, the log would only grow under load.
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
    durable(events) {
      const firstUnsynced = Math.min(...unsynced)
      return events.filter(({ seq }) => seq < firstUnsynced)
    },
    async commit(batch, begun) {
      if (mover.isBehind()) await mover.moved()
      for (const { body } of batch.arrivals) largest = Math.max(largest, body.length)
      const recorded = await inTurn(() => write(() => writer.commit(batch)))
      const first = recorded.find(({ fate }) => fate !== 'duplicate')
      if (first) unsynced.add(first.seq)
      const onDisk = files.sync(log)
      begun?.()
      await onDisk
      files.look()
      if (first) unsynced.delete(first.seq)
      mover.wrote(batch)
      return recorded
    },
    async probe() {
      // A probe may run every second, so it writes little, except after a failure or when little space is free.
      const bytes = failing || !hasRoom(stateDir, AMPLE_BYTES) ? largest : 0
      await inTurn(() => write(() => writer.probe(bytes)))
      await files.sync(log)
      files.lookInside()
      if (bytes > 0) failing = false
    },
    async close() {
      await turn
      db.close()
      // Close these files after the database. SQLite has the same files open, and closing a file here would release SQLite's locks on it.
      log.close()
      pages.close()
      files.close()
    },
  }
}

/**
 * Returns functions that check and sync the open files. After the first failure, `look` and `lookInside` throw the error of that failure.
 */
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
  /** Call this before each batch is written and before it is acknowledged, because SQLite continues to write into a removed file. */
  const look = (): void => refuse(broken ? undefined : (loss() ?? cut()))
  return {
    fail,
    look,
    /** Also checks that the file begins like a database, because an emptied file may have grown again. */
    lookInside(): void {
      look()
      if (!beginsAsDatabase(pages.file)) refuse('inbox.db was overwritten')
    },
    async sync(file: FileSync): Promise<void> {
      try {
        await file.sync()
      } catch (cause) {
        // When a sync fails, the kernel may drop the data and report success for the next sync.
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

function logMover(move: () => Promise<void>) {
  let grown = 0
  let moving: Promise<void> | undefined
  const run = async (): Promise<void> => {
    grown = 0
    try {
      await move()
    } catch {
      // Ignore the error. The log only grows until the next attempt.
    } finally {
      moving = undefined
    }
  }
  return {
    isBehind: () => grown > LOG_BYTES,
    moved: async () => moving,
    wrote({ arrivals }: Pick<Batch, 'arrivals'>): void {
      grown += BATCH_BYTES
      for (const { body } of arrivals) grown += body.length + EVENT_BYTES
      if (grown > LOG_BYTES) moving ??= run()
    },
  }
}
