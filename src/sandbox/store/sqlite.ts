import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { watchDatabase } from '../../disk/database-place.ts'
import { checkFile, checkPrivateFile, makeFile, makePrivateFolder, type Notice } from '../../disk/private.ts'
import { fileWords, inTransaction, isBusy, sqliteFailure, tablesIn, whenFree } from '../../disk/sqlite.ts'
import { type BnplError, config } from '../../errors.ts'
import { bringUpToDate, type MigrationEngine } from '../../migration.ts'
import { listChanges } from './changes.ts'
import { writeSetting } from './partners.ts'
import type { Db, Store } from './store.ts'
import { OLD_VERSION_SETTING, SCHEMA_STEPS, TABLE_NAMES, type Tables } from './tables.ts'

/**
 * Where a sandbox keeps its state. `file` is a path, or `:memory:`. If the user named the file, `folder` is `theirs`, and the folder's mode
 * is not changed.
 */
export interface StorePlace {
  file: string
  folder?: 'ours' | 'theirs'
}

/** How long a statement waits for the transaction of another process, in ms of real time. */
const BUSY_MS = 5_000

/** How long the next statements wait after a wait was in vain, in ms. A statement blocks this thread, and reads must still be answered. */
const STILL_BUSY_MS = 50

/**
 * Opens a sandbox's data, and creates the file (mode 0600) on first use. Throws `config`, and changes nothing, when the data is damaged,
 * belongs to another program, is from a newer bnpl, or is not writable.
 * @param notice called when a file was readable by other users and has been made private
 */
export async function openStore({ file, folder = 'ours' }: StorePlace, notice: Notice = () => {}): Promise<Store> {
  const isFile = file !== ':memory:'
  if (isFile) makePlace(file, folder, notice)
  const failure = (error: unknown) => sqliteFailure(file, error)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file)
    const listeners = new Set<(table: keyof Tables) => void>()
    const db = statementsOn(database, (table) => {
      for (const listener of listeners) listener(table)
    })
    await migrate(database, db, file)
    listChanges(database)
    const look = isFile ? lookAt(file, notice) : () => {}
    return {
      ...storeOn(database, db, look),
      onWrite: whileListening(listeners),
      failure,
      file: isFile ? file : undefined,
    }
  } catch (error) {
    database?.close()
    throw failure(error)
  }
}

/** Makes the files private. @returns a function that throws if a file was removed or replaced */
function lookAt(file: string, notice: Notice): () => void {
  for (const each of ['', ...BESIDE]) checkPrivateFile(file + each, notice)
  const lost = watchDatabase(file)
  return () => {
    const what = lost()
    if (what === undefined) return
    throw config(`${what} while the sandbox ran. No data is saved any more`, 'Start the sandbox again.', 'STATE_LOST')
  }
}

const whileListening =
  <Listener>(listeners: Set<Listener>) =>
  (listener: Listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

function storeOn(database: DatabaseSync, inner: Db, look: () => void): Pick<Store, 'db' | 'transaction' | 'close'> {
  let isPatient = true
  const waitUpTo = (ms: number) => {
    isPatient = ms === BUSY_MS
    database.exec(`pragma busy_timeout = ${ms}`)
  }
  const attempt = <Result>(work: () => Result): Result => {
    if (database.isTransaction) return work()
    look()
    try {
      const result = work()
      if (!isPatient) waitUpTo(BUSY_MS)
      return result
    } catch (error) {
      if (isBusy(error) && isPatient) waitUpTo(STILL_BUSY_MS)
      throw error
    }
  }
  const transaction = <Result>(work: () => Result): Result =>
    attempt(() => {
      if (database.isTransaction) return work()
      return inTransaction(database, () => {
        const result = work()
        if (result instanceof Promise) throw new Error('a transaction must not be asynchronous')
        return result
      })
    })
  waitUpTo(BUSY_MS)
  const db: Db = {
    all: (sql, ...values) => attempt(() => inner.all(sql, ...values)),
    get: (sql, ...values) => attempt(() => inner.get(sql, ...values)),
    run: (sql, ...values) => attempt(() => inner.run(sql, ...values)),
    insert: (table, row) => attempt(() => inner.insert(table, row)),
  }
  return {
    db,
    transaction: (work) => transaction(() => work(db)),
    close: () => void (database.isOpen && database.close()),
  }
}

const WRITTEN = /^\s*(?:insert into|update|delete from) (\w+)/

/** @param written called with the table of each statement that has changed a row */
function statementsOn(database: DatabaseSync, written: (table: keyof Tables) => void): Db {
  const prepared = new Map<string, { statement: StatementSync; table: keyof Tables | undefined }>()
  const prepare = (sql: string) => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const name = WRITTEN.exec(sql)?.[1]
    // Leave out the rate limits, because almost every request writes them, and nobody sees their rows.
    const table = TABLE_NAMES.find((each) => each === name && each !== 'rateLimits')
    const made = { statement: database.prepare(sql), table }
    prepared.set(sql, made)
    return made
  }
  // The types of node:sqlite have no overload for a list that may begin with an object.
  const bound = (values: readonly unknown[]) => values as string[]
  const run: Db['run'] = (sql, ...values) => {
    const { statement, table } = prepare(sql)
    const changed = Number(statement.run(...bound(values)).changes)
    if (changed > 0 && table !== undefined) written(table)
    return changed
  }
  return {
    all: <Row>(sql: string, ...values: readonly unknown[]) => prepare(sql).statement.all(...bound(values)) as Row[],
    get: <Row>(sql: string, ...values: readonly unknown[]) =>
      prepare(sql).statement.get(...bound(values)) as Row | undefined,
    run,
    insert(table, row) {
      const names = Object.keys(row)
      run(`insert into ${table} (${names}) values (${names.map((name) => `:${name}`)})`, { ...row })
    },
  }
}

const BESIDE = ['-wal', '-shm', '-journal']

/** Creates the file and its folder. Does not change the mode of an existing file, because perhaps it does not belong to a sandbox. */
function makePlace(file: string, folder: 'ours' | 'theirs', notice: Notice): void {
  if (folder === 'ours' || !existsSync(dirname(file))) makePrivateFolder(dirname(file), notice)
  makeFile(file)
  for (const beside of BESIDE) checkFile(file + beside)
}

/** Creates the tables of a file, or changes them to the version of this program. */
async function migrate(database: DatabaseSync, db: Db, path: string): Promise<void> {
  // Do not wait inside SQLite until the tables are made, because that would block this thread. A migration of this process could then not end.
  const exec = (sql: string) => whenFree(OPEN_MS, () => database.exec(sql))
  for (const setting of ['busy_timeout = 0', 'journal_mode = wal', 'synchronous = normal', 'foreign_keys = on'])
    await exec(`pragma ${setting}`)
  const engine: MigrationEngine<Db> = {
    async version() {
      // Read everything in one statement, because another process may create the tables between two statements.
      const seen = await whenFree(OPEN_MS, () =>
        db.get<{ version: number; tables: number; settings: number }>(
          `select user_version as version, (select count(*) from sqlite_schema) as tables,
            (select count(*) from sqlite_schema where name = 'settings') as settings from pragma_user_version`,
        ),
      )
      if (seen === undefined || seen.version > 0 || seen.tables === 0) return seen?.version ?? 0
      if (seen.settings === 0) return 'foreign'
      const old = db.get<{ value: string }>('select value from settings where name = ?', OLD_VERSION_SETTING)
      // Another process may have brought the tables up to date in the meantime.
      return old === undefined ? fileVersion(db) || 'foreign' : Number(old.value)
    },
    async alone(work) {
      await exec('begin immediate')
      try {
        await work(db)
        database.exec('commit')
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    },
    async makeAll() {
      if (newestTables !== undefined) return database.exec(newestTables)
      for (const step of SCHEMA_STEPS) database.exec(step)
      newestTables = tablesOf(db)
    },
    run: async (_, sql) => database.exec(sql),
    async keepVersion(_, version) {
      database.exec(`pragma user_version = ${version}`)
      // Remove the old setting. An older bnpl reads it, and would not notice that the tables are newer.
      db.run('delete from settings where name = ?', OLD_VERSION_SETTING)
    },
  }
  await bringUpToDate(db, engine, SCHEMA_STEPS, fileWords(path, 'SANDBOX_DATA'))
}

/** Makes the tables of the newest version in a fourth of the time of all steps. Known after this process has made them once. */
let newestTables: string | undefined

function tablesOf(db: Db): string {
  const made = db.all<{ sql: string }>(
    "select sql from sqlite_schema where sql is not null and name not glob 'sqlite_*'",
  )
  return made.map(({ sql }) => sql).join(';')
}

const OPEN_MS = 15_000

/** Returns the version of the tables of a file, which is SQLite's `user_version`. */
export function fileVersion(db: Db): number {
  return db.get<{ user_version: number }>('pragma user_version')?.user_version ?? 0
}

/** Tables that every version has. */
const OWN_TABLES = ['settings', 'partners', 'preApprovals']

/**
 * Whether a database has the tables of a sandbox, or none. Does not change the file. If it cannot be read, returns true, because then opening
 * it says what is wrong.
 */
export function isSandboxFile(path: string): boolean {
  const names = tablesIn(path)
  return names === undefined || names.length === 0 || OWN_TABLES.every((own) => names.includes(own))
}

/** The size of a test write, more than most requests store. The written bytes are random, so that compression cannot shorten them. */
const PROBE_BYTES = 12_000

/** Writes a test row and deletes it. Throws the driver's errors, for example when the disk is full. */
export function proveWritable({ db }: Pick<Store, 'db'>): void {
  // Two statements and not one transaction, because a full disk is noticed at the commit.
  writeSetting(db, 'probe', randomBytes(PROBE_BYTES).toString('base64'))
  db.run('delete from settings where name = ?', 'probe')
}

/** Returns an error if a newer bnpl has changed the tables since they were opened. Throws the errors of the driver. */
export function newerThanKnown({ db }: Pick<Store, 'db'>): BnplError | undefined {
  const version = fileVersion(db)
  const known = SCHEMA_STEPS.length
  if (version <= known) return undefined
  return config(
    `a newer bnpl has changed the sandbox’s data (the data has version ${version}, but this bnpl knows only version ${known})`,
    'Start the sandbox again with the newer version of bnpl.',
    'STATE_NEWER',
  )
}
