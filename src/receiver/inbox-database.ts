import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { KEPT_FILES } from '../disk/kept-files.ts'
import type { Notice } from '../disk/private.ts'
import { openDatabase, type SqliteFile } from '../disk/sqlite.ts'
import { sqliteFailure } from '../disk/sqlite-failure.ts'
import { INBOX_MIGRATIONS } from './inbox-schema.ts'
import { createWriter, type Writer } from './inbox-writer.ts'
import { createReserve, type Reserve, withReserve } from './reserve.ts'

/** The inbox's file, open for one thread. */
export interface InboxDatabase {
  db: DatabaseSync
  path: string
  writer: Writer
  reserve: Reserve
  /** Does work on the file; undone when it throws, which is then an error of ours. */
  guarded<T>(work: () => T): T
  /** The same for what must not fail for want of room: there is a reserve. */
  stored<T>(work: () => T): T
}

/** The inbox's name in the state directory. */
export const INBOX_FILE = KEPT_FILES.inbox.name

/** A page holds a few events: measured, this costs a fifth less than SQLite's 4096, and larger ones make the index dear. */
const PAGE_BYTES = 8192

/** Opens `inbox.db` in the state directory. @param notice says what was put right, and that the reserve is in use */
export async function openInboxDatabase(
  stateDir: string,
  synchronous: SqliteFile['synchronous'],
  notice: Notice,
): Promise<InboxDatabase> {
  const plan = { name: INBOX_FILE, steps: INBOX_MIGRATIONS, synchronous, pageSize: PAGE_BYTES }
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
    () => notice('the disk is full: the inbox is living on its reserve of 4 MiB; make room now'),
  )
  const writer = guarded(() => createWriter(db))
  return { db, path, writer, reserve, guarded, stored: (work) => attempt(() => guarded(work)) }
}

/** Moves the log into the database, as far as there is room for that. */
function emptyLog(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // What it could not do is met again by the commit that follows.
  }
}
