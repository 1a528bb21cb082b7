import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { BnplError, config } from '../errors.ts'
import { bringUpToDate, type MigrationEngine, readVersion, type StoreWords } from '../migration.ts'
import { moveAway } from '../text/shell-word.ts'
import { adviceForDatabase } from './failure.ts'
import { checkFile, checkPrivateFile, makeFile, makePrivateFolder, type Notice } from './private.ts'

const BUSY_MS = 10_000

/** How long another process may take to turn on write-ahead logging, in ms. */
const WAL_MS = 5_000

const AGAIN_MS = 25

/** On macOS, an ordinary sync leaves the data in the memory of the drive. Other systems ignore these settings. */
export const WHOLE_SYNC = 'PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON'

const BESIDE = ['-wal', '-shm', '-journal']

export interface SqliteFile {
  name: string
  steps: readonly string[]
  /**
   * `FULL`: a commit survives a power failure. `NORMAL`: it survives the end of the process. `OFF`: a power failure may destroy the file.
   */
  synchronous: 'OFF' | 'NORMAL' | 'FULL'
  pageSize?: number
}

/** Returns the texts for errors about a SQLite file in the state folder. The error codes begin with `code`. */
export const fileWords = (path: string, code = 'STATE'): StoreWords => ({
  name: path,
  otherPlace: 'name another folder with BNPL_STATE_DIR',
  code,
})

/**
 * Opens a database in a folder, creates it on first use (mode 0600, its folder 0700) and updates its tables. Throws `config`, and leaves
 * the file unchanged, when it is a symbolic link, is damaged, belongs to another program, or is from a newer bnpl.
 */
export async function openDatabase(
  dir: string,
  { name, steps, synchronous, pageSize }: SqliteFile,
  notice: Notice,
): Promise<{ db: DatabaseSync; path: string }> {
  const path = join(dir, name)
  makePrivateFolder(dir, notice)
  makeFile(path)
  for (const beside of BESIDE) checkFile(path + beside)
  const words = fileWords(path)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: BUSY_MS })
    const engine = engineOf(db)
    // Read the version first, because the settings below would change a file of another program.
    await readVersion(db, engine, steps.length, words)
    for (const each of ['', ...BESIDE]) checkPrivateFile(path + each, notice)
    if (pageSize !== undefined) db.exec(`PRAGMA page_size = ${pageSize}`)
    db.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; ${WHOLE_SYNC}`)
    await writeAhead(db)
    await bringUpToDate(db, engine, steps, words)
    return { db, path }
  } catch (error) {
    db?.close()
    throw sqliteFailure(path, error)
  }
}

/** Turns on write-ahead logging. Tries again while the file is locked, because SQLite itself does not wait when two processes do this. */
async function writeAhead(db: DatabaseSync): Promise<void> {
  await whenFree(WAL_MS, () => {
    if (db.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal') db.exec('PRAGMA journal_mode = WAL')
  })
}

function engineOf(db: DatabaseSync): MigrationEngine<DatabaseSync> {
  return {
    async version() {
      // Read both values in one statement, because another process may create the tables between two statements.
      const seen = db
        .prepare(
          'SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_user_version',
        )
        .get()
      return seen?.version === 0 && seen.tables !== 0 ? 'foreign' : Number(seen?.version)
    },
    async alone(work) {
      // Do not wait inside SQLite, because that would block this thread. A transaction of this process could then not end.
      db.exec('PRAGMA busy_timeout = 0')
      await whenFree(BUSY_MS, () => db.exec('BEGIN IMMEDIATE'))
      try {
        await work(db)
        db.exec('COMMIT')
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    },
    run: async (_, sql) => db.exec(sql),
    keepVersion: async (_, version) => db.exec(`PRAGMA user_version = ${version}`),
  }
}

/**
 * Returns the result of a function. While another process has locked the database, calls the function again, for up to `ms` milliseconds.
 * Does not block this thread meanwhile, so that a transaction of this process can end.
 */
export async function whenFree<Result>(ms: number, attempt: () => Result): Promise<Result> {
  for (let waited = 0; ; waited += AGAIN_MS) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || waited >= ms) throw error
      await sleep(AGAIN_MS)
    }
  }
}

/** Runs a function in a transaction, which takes the write lock at its beginning. Rolls back if the function throws. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite may have ended the transaction already, for example because the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Returns the names of the tables of a database, without changing its file; undefined if they cannot be read. */
export function tablesIn(path: string): string[] | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true })
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
    return tables.map(({ name }) => String(name))
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}

const BUSY = 5
const READ_ONLY = 8
const IO = 10
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

/** Whether an error means that another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** Whether an error means that a file is not an intact SQLite database. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** Turns an error of SQLite about a file into a `BnplError`. Any other error is returned unchanged. */
export function sqliteFailure(path: string, error: unknown): unknown {
  const code = primaryCode(error)
  switch (code) {
    case undefined:
      return error
    case CORRUPT:
    case NOT_A_DATABASE:
      return damaged(path)
    case BUSY:
      return config(
        `${path} was locked by another process for too long`,
        'Run the command again when that process has finished.',
        'STATE_BUSY',
      )
    case READ_ONLY:
      return config(
        `${path} is read-only`,
        'Check its permissions, and how its disk is mounted, or name another folder with BNPL_STATE_DIR.',
        'STATE_READ_ONLY',
      )
    case FULL:
    case IO:
      return new BnplError('output', `${path} could not be written: the disk is full or reported an error`, {
        code: 'STATE_FULL',
        hint: `${adviceForDatabase(path)}, or name another folder with BNPL_STATE_DIR.`,
        cause: error,
      })
    default:
      return config(
        `${path} cannot be used (SQLite error ${code})`,
        'Check its permissions, or name another folder with BNPL_STATE_DIR.',
        'STATE_UNUSABLE',
      )
  }
}

/** Returns the error for a file that is not an intact SQLite database. */
export const damaged = (path: string): BnplError =>
  config(
    `${path} is damaged and was not changed`,
    `Move the file away, so that bnpl can create a new one: ${moveAway(path, 'damaged')}`,
    'STATE_DAMAGED',
  )

/** Returns SQLite's primary result code of an error, or undefined for an error that is not SQLite's. */
export function primaryCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined
  return Number(error.errcode) & 0xff
}
