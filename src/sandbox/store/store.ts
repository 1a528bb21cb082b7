import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { checkPrivateFile, makePrivateFile, makePrivateFolder } from '../../disk/private.ts'
import { sqliteFailure } from '../../disk/sqlite-failure.ts'
import { sqliteDialect } from './dialect.ts'
import { migrate } from './migrations.ts'
import { type Db, TABLES, type Tables } from './tables.ts'

/** The sandbox's state. Several processes may have the same one open. */
export interface Store {
  /** For one statement. */
  db: Db
  /** All or nothing, alone: no other transaction of any process runs between its statements. Use the `db` it gives and no other. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Told the table of each write of this process that changed a row, before its transaction ends. @returns stops it */
  onWrite(listener: (table: string) => void): () => void
  /** What the database refused, as an error for the reader; any other error stays what it is. */
  failure(error: unknown): unknown
  close(): Promise<void>
}

/**
 * Opens a sandbox's data, making the file (0600, its folder 0700) on first use. Throws `config`, and leaves the file as it is,
 * when it is damaged, another program's, of a newer version, or not ours to write.
 * @param file a path, or `:memory:`
 * @param folder `theirs` when the user named the file: its folder is then not ours to close
 */
export async function openStore(file: string, folder: 'ours' | 'theirs' = 'ours'): Promise<Store> {
  if (file !== ':memory:') makePrivate(file, folder)
  const listeners = new Set<(table: string) => void>()
  const written = (table: string) => {
    if (Object.hasOwn(TABLES, table) && TABLES[table as keyof Tables].told)
      for (const listener of listeners) listener(table)
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, written) })
  const failure = (error: unknown) => sqliteFailure(file, error)
  try {
    await migrate(db, file)
  } catch (error) {
    await db.destroy().catch(() => {})
    throw failure(error)
  }
  const onWrite = (listener: (table: string) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { db, transaction: (work) => db.transaction().execute(work), onWrite, failure, close: () => db.destroy() }
}

/** It holds keys and secrets of the sandbox: nobody else reads it. */
function makePrivate(file: string, folder: 'ours' | 'theirs'): void {
  const silently = () => {}
  if (folder === 'ours' || !existsSync(dirname(file))) makePrivateFolder(dirname(file), silently)
  makePrivateFile(file, silently)
  for (const beside of ['-wal', '-shm', '-journal']) checkPrivateFile(file + beside, silently)
}
