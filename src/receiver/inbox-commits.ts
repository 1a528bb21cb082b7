import { setTimeout as sleep } from 'node:timers/promises'
import type { Notice } from '../disk/private.ts'
import { BnplError } from '../errors.ts'
import { type FileSync, openFileSync, type SyncFile } from './file-sync.ts'
import type { Inbox } from './inbox.ts'
import { openInboxDatabase } from './inbox-database.ts'

/** What a receiver does for every delivery, in its own thread. */
export interface Commits extends Pick<Inbox, 'commit' | 'probe'> {
  close(): Promise<void>
}

export interface CommitsOptions {
  stateDir: string
  notice: Notice
  /** Moves the log into the database, in another thread. */
  checkpoint(): Promise<void>
  syncFile: SyncFile
}

/** Bytes that are written to the log before it is moved into the database: pages that are written again and again are moved once. */
const LOG_BYTES = 16 * 1024 * 1024
/** About what a commit writes besides the bodies: the pages it ends in, and something for every event. Ids in no order take three times as much. */
const BATCH_BYTES = 32 * 1024
const EVENT_BYTES = 512

/** Milliseconds between two attempts while another process writes, and how long that may take. */
const AGAIN_MS = 3
const BUSY_MS = 10_000

/**
 * Writes in this thread, waits for the disk in another: writing to SQLite's log takes microseconds, since the kernel keeps it in memory,
 * and nothing is told of before the log was synced. `synchronous=NORMAL` leaves out nothing but that sync at each commit; everything
 * that keeps the file whole is SQLite's own (sqlite.org/wal.html, "Performance Considerations").
 */
export async function openCommits({ stateDir, notice, checkpoint, syncFile }: CommitsOptions): Promise<Commits> {
  const { db, path, writer, stored } = await openInboxDatabase(stateDir, 'NORMAL', notice)
  // Neither may keep this thread: moving the log waits for the disk, and another process for as long as it likes.
  db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0')
  const log = openFileSync(`${path}-wal`, syncFile)
  const pages = openFileSync(path, syncFile)
  let turn: Promise<unknown> = Promise.resolve()
  let broken: BnplError | undefined
  let grown = 0
  let moving: Promise<void> | undefined

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const write = async <T>(work: () => T): Promise<T> => {
    for (let left = BUSY_MS; ; left -= AGAIN_MS) {
      if (broken) throw broken
      try {
        return stored(work)
      } catch (error) {
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
      broken = new BnplError(
        'output',
        `${path} could not be brought onto the disk; nothing is acknowledged until this is started again on a sound one`,
        { code: 'DISK_FAILED', cause },
      )
      throw broken
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
      await inTurn(checkpoint)
    } catch {
      // The log grows until the next attempt.
    } finally {
      moving = undefined
    }
  }
  return {
    async commit(batch, begun) {
      // Who writes faster than the log is moved waits for it.
      if (grown > LOG_BYTES) await moving
      const recorded = await inTurn(() => write(() => writer.commit(batch)))
      const onDisk = synced(log)
      begun?.()
      await onDisk
      grown += BATCH_BYTES
      for (const { body } of batch.arrivals) grown += body.length + EVENT_BYTES
      if (grown > LOG_BYTES) moving ??= moveLog()
      return recorded
    },
    async probe() {
      await inTurn(() => write(() => writer.setFact('probe', String(Math.random()))))
      await synced(log)
    },
    async close() {
      await turn
      db.close()
      // A file that is closed lets go of every lock that this process has on it: SQLite's are needed until then.
      log.close()
      pages.close()
    },
  }
}
