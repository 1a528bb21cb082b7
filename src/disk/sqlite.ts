import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { config } from '../errors.ts'
import { checkFile, checkPrivateFile, makeFile, makePrivateFolder, type Notice } from './private.ts'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

/** How long one statement waits for another process, in milliseconds. */
const BUSY_MS = 10_000

/** What SQLite keeps beside a database while that is open. */
const BESIDE = ['-wal', '-shm', '-journal']

export interface DatabasePlan {
  /** Name of the file, such as `state.db`. */
  name: string
  /** SQL of every version, oldest first: how many a file has seen is its version. What has been released is never edited. */
  migrations: readonly string[]
  /**
   * `FULL` where a commit must survive a power failure, `NORMAL` where a killed process is the worst; `OFF` where even the whole file
   * may be lost to a power failure.
   */
  synchronous: 'OFF' | 'NORMAL' | 'FULL'
  /** Bytes of a page of a new file; SQLite's own choice when left out. */
  pageSize?: number
}

/**
 * Opens a database in a folder, making it on first use (mode 0600, its folder 0700) and bringing its tables up to date.
 * Every process may have it open at once. Throws `config`, and leaves the file as it is, when it is a symbolic link, damaged, another
 * program's, or of a newer version.
 */
export async function openDatabase(
  dir: string,
  plan: DatabasePlan,
  notice: Notice,
): Promise<{ db: DatabaseSync; path: string }> {
  const path = join(dir, plan.name)
  makePrivateFolder(dir, notice)
  makeFile(path)
  for (const beside of BESIDE) checkFile(path + beside)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: BUSY_MS })
    // Before anything is switched on, which would already change a file that is not ours to change.
    refuseOthers(db, path, plan.migrations)
    for (const each of ['', ...BESIDE]) checkPrivateFile(path + each, notice)
    if (plan.pageSize !== undefined) db.exec(`PRAGMA page_size = ${plan.pageSize}`)
    db.exec(`PRAGMA synchronous = ${plan.synchronous}; PRAGMA foreign_keys = ON`)
    await writeAhead(db)
    migrate(db, path, plan.migrations)
    return { db, path }
  } catch (error) {
    db?.close()
    throw sqliteFailure(path, error)
  }
}

/** Turns write-ahead logging on. Two processes that do so at the same time do not wait for each other by themselves: try again. */
async function writeAhead(db: DatabaseSync): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      if (db.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal') db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || tries === 200) throw error
      await sleep(25)
    }
  }
}

function migrate(db: DatabaseSync, path: string, migrations: readonly string[]): void {
  if (versionOf(db) === migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Again, now that nobody else can change it: another process may just have brought it up to date, or further.
    refuseOthers(db, path, migrations)
    for (const sql of migrations.slice(versionOf(db))) db.exec(sql)
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function refuseOthers(db: DatabaseSync, path: string, migrations: readonly string[]): void {
  // One statement, so that both are of one moment: another process may be making the tables.
  const seen = db
    .prepare('SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_user_version')
    .get()
  const version = Number(seen?.version)
  if (version > migrations.length) {
    throw config(
      `${path} was written by a newer bnpl (version ${version}; this one knows ${migrations.length}) and is left as it is`,
      'Update bnpl, or name another folder with BNPL_STATE_DIR.',
      'STATE_NEWER',
    )
  }
  if (version === 0 && seen?.tables !== 0) {
    throw config(
      `${path} is the database of another program and is left as it is`,
      'Name another folder with BNPL_STATE_DIR.',
      'STATE_FOREIGN',
    )
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}
