import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { checkPrivateFile, makePrivateFile, makePrivateFolder } from '../../disk/private.ts'
import { sqliteFailure } from '../../disk/sqlite-failure.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { migrate } from './sqlite-schema.ts'
import type { Store } from './store.ts'
import { TABLES, type Tables } from './tables.ts'

/** Opens a sandbox's file, see `openStore`. */
export async function openSqlite(file: string, folder: 'ours' | 'theirs'): Promise<Store> {
  if (file !== ':memory:') makePrivate(file, folder)
  const listeners = new Set<(table: string) => void>()
  const written = (table: string) => {
    if (!Object.hasOwn(TABLES, table) || !TABLES[table as keyof Tables].told) return
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
  return {
    engine: 'sqlite',
    db,
    transaction: (work) => db.transaction().execute(work),
    async onWrite(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    failure,
    time: undefined,
    file: file === ':memory:' ? undefined : file,
    close: () => db.destroy(),
  }
}

/** It holds keys and secrets of the sandbox: nobody else reads it. */
function makePrivate(file: string, folder: 'ours' | 'theirs'): void {
  const silently = () => {}
  if (folder === 'ours' || !existsSync(dirname(file))) makePrivateFolder(dirname(file), silently)
  makePrivateFile(file, silently)
  for (const beside of ['-wal', '-shm', '-journal']) checkPrivateFile(file + beside, silently)
}
