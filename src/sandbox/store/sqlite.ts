import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { watchDatabase } from '../../disk/database-place.ts'
import { checkFile, checkPrivateFile, makeFile, makePrivateFolder, type Notice } from '../../disk/private.ts'
import { sqliteFailure } from '../../disk/sqlite-failure.ts'
import { config } from '../../errors.ts'
import { isTable, TABLES } from './rows.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { migrateFile } from './sqlite-schema.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** Opens a sandbox's file. Throws the same errors as `openStore`. */
export async function openSqlite(file: string, folder: 'ours' | 'theirs', notice: Notice): Promise<Store> {
  const isFile = file !== ':memory:'
  if (isFile) makePlace(file, folder, notice)
  const listeners = new Set<(table: string) => void>()
  const written = (table: string) => {
    if (!isTable(table) || !TABLES[table].isWatched) return
    for (const listener of listeners) listener(table)
  }
  let lost: () => string | undefined = () => undefined
  const look = () => {
    const what = lost()
    if (what !== undefined) throw takenAway(what)
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, written, look) })
  const failure = (error: unknown) => sqliteFailure(file, error)
  try {
    await migrateFile(db, file)
    if (isFile) {
      closeToOthers(file, notice)
      lost = watchDatabase(file)
    }
  } catch (error) {
    await db.destroy().catch(() => {})
    throw failure(error)
  }
  return {
    db,
    transaction: (work) => db.transaction().execute(work),
    onWrite(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    failure,
    file: isFile ? file : undefined,
    close: () => db.destroy(),
  }
}

const BESIDE = ['-wal', '-shm', '-journal']

/** Creates the file and its folder. Does not change the mode of an existing file, because perhaps it does not belong to a sandbox. */
function makePlace(file: string, folder: 'ours' | 'theirs', notice: Notice): void {
  if (folder === 'ours' || !existsSync(dirname(file))) makePrivateFolder(dirname(file), notice)
  makeFile(file)
  for (const beside of BESIDE) checkFile(file + beside)
}

function closeToOthers(file: string, notice: Notice): void {
  for (const each of ['', ...BESIDE]) checkPrivateFile(file + each, notice)
}

const takenAway = (what: string) =>
  config(`${what} while the sandbox ran. No data is saved any more`, 'Start the sandbox again.', 'STATE_LOST')
