import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import type { Notice } from '../../disk/private.ts'
import { openDatabase, type SqliteFile } from '../../disk/sqlite.ts'
import { sqliteFailure } from '../../disk/sqlite-failure.ts'
import { refuseEmptied } from './damage.ts'
import { createReserve, type Reserve, withReserve } from './reserve.ts'
import { INBOX_MIGRATIONS } from './schema.ts'
import { createInboxWriter, type InboxWriter } from './writer.ts'

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
