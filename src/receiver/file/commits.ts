import { setTimeout as sleep } from 'node:timers/promises'
import { watchDatabase, watchLog } from '../../disk/database-place.ts'
import type { Notice } from '../../disk/private.ts'
import { hasRoom } from '../../disk/room.ts'
import { BnplError } from '../../errors.ts'
import type { Inbox } from '../inbox.ts'
import { USUAL_BYTES } from './damage.ts'
import { type FileSync, openFileSync, type SyncFile } from './file-sync.ts'
import { openInboxFile } from './inbox-file.ts'

/** What a receiver does for every delivery, in its own thread. */
export interface Commits extends Pick<Inbox, 'commit' | 'probe'> {
  /** Ends receiving for good: every commit and probe throws this from now on. */
  fail(error: BnplError): void
  /** Looks whether the files are still the ones that were opened; where they are not, all ends as by `fail`, and `lost` is told. */
  look(): void
  close(): Promise<void>
}

export interface CommitsOptions {
  stateDir: string
  notice: Notice
  /** Moves the log into the database, in another thread. */
  checkpoint(): Promise<void>
  syncFile: SyncFile
  /** Told once that a file of the inbox was taken away. @param what the end of a sentence: `inbox.db was removed` */
  lost(what: string): void
}

/** Bytes that are written to the log before it is moved into the database: pages that are written again and again are moved once. */
const LOG_BYTES = 16 * 1024 * 1024
/** About what a commit writes besides the bodies: the pages it ends in, and something for every event. Ids in no order take three times as much. */
const BATCH_BYTES = 32 * 1024
const EVENT_BYTES = 512

/** Milliseconds between two attempts while another process writes, and how long that may take. */
const AGAIN_MS = 3
const BUSY_MS = 10_000

/** Where less is free than this, a probe writes as much as a delivery does. */
const AMPLE_BYTES = 64 * 1024 * 1024

/**
 * Writes in this thread, waits for the disk in another: writing to SQLite's log takes microseconds, since the kernel keeps it in memory,
 * and nothing is told of before the log was synced. `synchronous=NORMAL` leaves out nothing but that sync at each commit; everything
 * that keeps the file whole is SQLite's own (sqlite.org/wal.html, "Performance Considerations").
 */
export async function openCommits({ stateDir, notice, checkpoint, syncFile, lost }: CommitsOptions): Promise<Commits> {
  const { db, path, writer, stored } = await openInboxFile(stateDir, 'NORMAL', notice)
  // Neither may keep this thread: moving the log waits for the disk, and another process for as long as it likes.
  db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0')
  const log = openFileSync(`${path}-wal`, syncFile)
  const pages = openFileSync(path, syncFile)
  const length = watchLog(path, log.file)
  const loss = watchDatabase(path)
  let turn: Promise<unknown> = Promise.resolve()
  let broken: BnplError | undefined
  let grown = 0
  let moving: Promise<void> | undefined
  let largest = USUAL_BYTES
  /** Something could not be written, and nothing of the usual size was since. */
  let failing = false

  const fail = (error: BnplError): BnplError => {
    broken ??= error
    return broken
  }
  /** Before each batch is written, and before it is acknowledged: SQLite writes on into a file that nobody finds again. */
  const look = (): void => {
    if (broken) throw broken
    const what = loss() ?? (length.isCut() ? 'inbox.db-wal was cut short' : undefined)
    if (what === undefined) return
    fail(
      new BnplError('output', `${what} while this receiver ran; nothing is acknowledged until it is started again`, {
        code: 'INBOX_LOST',
      }),
    )
    lost(what)
    throw broken
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const write = async <T>(work: () => T): Promise<T> => {
    for (let left = BUSY_MS; ; left -= AGAIN_MS) {
      look()
      try {
        return stored(work)
      } catch (error) {
        failing = true
        // A page that is damaged stays so: what fits beside it would make the receiver look ready again.
        if (error instanceof BnplError && error.code === 'STATE_DAMAGED') throw fail(error)
        if (!(error instanceof BnplError) || error.code !== 'STATE_BUSY' || left <= 0) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
  const synced = async (file: FileSync): Promise<void> => {
    try {
      await file.sync()
    } catch (cause) {
      // What the kernel could not write it may forget, and say of the next sync that all is well: nothing can be proved any more.
      throw fail(
        new BnplError(
          'output',
          `${path} could not be brought onto the disk; nothing is acknowledged until this is started again on a sound one`,
          { code: 'DISK_FAILED', cause },
        ),
      )
    }
  }
  /**
   * Most of the log while others go on, and the rest while they wait: only a log that was moved whole is begun anew. SQLite syncs what it
   * moved when the log is whole, which everybody would wait for.
   */
  const moveLog = async (): Promise<void> => {
    grown = 0
    try {
      await checkpoint()
      await synced(pages)
      await inTurn(async () => {
        look()
        await checkpoint()
      })
    } catch {
      // The log grows until the next attempt.
    } finally {
      moving = undefined
    }
  }
  return {
    fail: (error) => void fail(error),
    look,
    async commit(batch, begun) {
      // Who writes faster than the log is moved waits for it.
      if (grown > LOG_BYTES) await moving
      for (const { body } of batch.arrivals) largest = Math.max(largest, body.length)
      const recorded = await inTurn(() => write(() => writer.commit(batch)))
      const onDisk = synced(log)
      begun?.()
      await onDisk
      look()
      grown += BATCH_BYTES
      for (const { body } of batch.arrivals) grown += body.length + EVENT_BYTES
      if (grown > LOG_BYTES) moving ??= moveLog()
      return recorded
    },
    async probe() {
      // As much as a delivery takes, where that may not fit; else next to nothing, since it is done every second.
      const bytes = failing || !hasRoom(stateDir, AMPLE_BYTES) ? largest : 0
      await inTurn(() => write(() => writer.probe(bytes)))
      await synced(log)
      look()
      if (bytes > 0) failing = false
    },
    async close() {
      await turn
      db.close()
      // A file that is closed lets go of every lock that this process has on it: SQLite's are needed until then.
      log.close()
      pages.close()
      length.close()
    },
  }
}
