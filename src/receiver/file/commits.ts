import { setTimeout as sleep } from 'node:timers/promises'
import { beginsAsDatabase, watchDatabase, watchLog } from '../../disk/database-place.ts'
import type { Notice } from '../../disk/private.ts'
import { hasRoom } from '../../disk/room.ts'
import { BnplError } from '../../errors.ts'
import type { Batch, Inbox } from '../inbox.ts'
import { USUAL_BYTES } from './damage.ts'
import { type FileSync, openFileSync, type SyncFile } from './file-sync.ts'
import { openInboxFile } from './inbox-file.ts'

/** The work of a receiver for every delivery, in its own thread. */
export interface Commits extends Pick<Inbox, 'commit' | 'probe'> {
  /** Ends receiving for good: every commit and probe throws this from now on. */
  fail(error: BnplError): void
  /** Looks whether the files are still the ones that were opened; where they are not, all ends as by `fail`, and `lost` is called. */
  look(): void
  close(): Promise<void>
}

interface CommitsOptions {
  stateDir: string
  notice: Notice
  /** Moves the log into the database, in another thread. */
  checkpoint(): Promise<void>
  syncFile: SyncFile
  /** Called once when a file of the inbox was removed. @param what begins a sentence: `inbox.db was removed` */
  lost(what: string): void
}

/** Bytes that are written to the log before it is moved into the database: a page that is written again and again is then moved once. */
const LOG_BYTES = 16 * 1024 * 1024
/** Roughly what a commit writes besides the bodies: the pages it ends in, and some bytes for every event. Ids in random order take three times as much. */
const BATCH_BYTES = 32 * 1024
const EVENT_BYTES = 512

/** Milliseconds between two attempts while another process writes, and how long that may take. */
const AGAIN_MS = 3
const BUSY_MS = 10_000

/** Where less is free than this, a probe writes as much as a delivery does. */
const AMPLE_BYTES = 64 * 1024 * 1024

/**
 * Writes in this thread, waits for the disk in another: writing to SQLite's log takes microseconds, since the kernel keeps it in memory,
 * and nothing is acknowledged before the log was synced. `synchronous=NORMAL` leaves out nothing but that sync at each commit; everything
 * that keeps the file whole is SQLite's own (sqlite.org/wal.html, "Performance Considerations").
 */
export async function openCommits({ stateDir, notice, checkpoint, syncFile, lost }: CommitsOptions): Promise<Commits> {
  const { db, path, writer, stored } = await openInboxFile(stateDir, 'NORMAL', notice)
  // Neither may keep this thread: moving the log waits for the disk, and another process for as long as it likes.
  db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0')
  const log = openFileSync(`${path}-wal`, syncFile)
  const pages = openFileSync(path, syncFile)
  const files = soundFiles(path, pages, log, lost)
  let turn: Promise<unknown> = Promise.resolve()
  let largest = USUAL_BYTES
  /** Something could not be written, and nothing of the usual size was since. */
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
        // A page that is damaged stays so: a write that fits beside it would make the receiver look ready again.
        if (error instanceof BnplError && error.code === 'STATE_DAMAGED') throw files.fail(error)
        if (!(error instanceof BnplError) || error.code !== 'STATE_BUSY' || left <= 0) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
  // Most of the log is moved while writers go on, and the rest while they wait: SQLite reuses only a log that was moved completely. It syncs
  // the pages when that is done, and every writer would wait: so they are synced before.
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
      // As much as a delivery takes, where that may not fit; else next to nothing, since it is done every second.
      const bytes = failing || !hasRoom(stateDir, AMPLE_BYTES) ? largest : 0
      await inTurn(() => write(() => writer.probe(bytes)))
      await files.sync(log)
      files.lookInside()
      if (bytes > 0) failing = false
    },
    async close() {
      await turn
      db.close()
      // Closing a file gives up every lock that this process has on it: SQLite's are needed until then.
      log.close()
      pages.close()
      files.close()
    },
  }
}

/**
 * The open files of an inbox, as long as they can be relied on. The first failure that makes them unreliable is the answer to everything
 * from then on.
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
      new BnplError('output', `${what} while this receiver ran; nothing is acknowledged until it is started again`, {
        code: 'INBOX_LOST',
      }),
    )
    lost(what)
    throw broken
  }
  /** Before each batch is written, and before it is acknowledged: SQLite goes on writing into a file that nobody can find again. */
  const look = (): void => refuse(broken ? undefined : (loss() ?? cut()))
  return {
    fail,
    look,
    /** Looks also whether the file still begins as a database: what was emptied may have grown again. Not for each batch. */
    lookInside(): void {
      look()
      if (!beginsAsDatabase(pages.file)) refuse('inbox.db was overwritten')
    },
    async sync(file: FileSync): Promise<void> {
      try {
        await file.sync()
      } catch (cause) {
        // The kernel may drop data that it failed to write and report success for the next sync. Nothing can be proved after that.
        throw fail(
          new BnplError(
            'output',
            `${path} could not be brought onto the disk; nothing is acknowledged until this is started again on a sound one`,
            { code: 'DISK_FAILED', cause },
          ),
        )
      }
    },
    close: () => length.close(),
  }
}

/** Moves the log into the database when so much was written that it is worth it. @param move does it */
function logMover(move: () => Promise<void>) {
  let grown = 0
  let moving: Promise<void> | undefined
  const run = async (): Promise<void> => {
    grown = 0
    try {
      await move()
    } catch {
      // The log grows until the next attempt.
    } finally {
      moving = undefined
    }
  }
  return {
    /** Whether batches are written faster than the log is moved: the next one waits for `moved`. */
    isBehind: () => grown > LOG_BYTES,
    moved: async () => moving,
    wrote({ arrivals }: Pick<Batch, 'arrivals'>): void {
      grown += BATCH_BYTES
      for (const { body } of arrivals) grown += body.length + EVENT_BYTES
      if (grown > LOG_BYTES) moving ??= run()
    },
  }
}
