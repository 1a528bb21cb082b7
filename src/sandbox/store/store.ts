import type { RawBuilder } from 'kysely'
import type { Notice } from '../../disk/private.ts'
import type { DatabasePlan } from '../../postgres/pool.ts'
import type { Db } from './tables.ts'

/** Where a sandbox's state is kept. */
export type StorePlace =
  /** `file` is a path, or `:memory:`. `folder` is `theirs` when the user named the file: its folder is then not ours to close. */
  | { file: string; folder?: 'ours' | 'theirs' }
  /** Shared by the sandboxes of any number of machines. */
  | { database: DatabasePlan }

/** The sandbox's state. Several processes may have the same one open. */
export interface Store {
  engine: 'sqlite' | 'postgres'
  /** For one statement. */
  db: Db
  /** All or nothing, alone: no other transaction of any process runs between its statements. Use the `db` it gives and no other. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Told the table of each write that changed a row: in a file those of this process, before their transaction ends; in a database those
   * of every process, after it.
   * @returns stops it; nothing written from then on is missed
   */
  onWrite(listener: (table: string) => void): Promise<() => void>
  /** What the database refused, as an error for the reader; any other error stays what it is. */
  failure(error: unknown): unknown
  /**
   * What the database's own clock says, as SQL: milliseconds since 1970. Everything that processes compare with each other goes by it.
   * Undefined where all of them are on one machine and go by its clock.
   */
  time: RawBuilder<number> | undefined
  /** Path of the file it is kept in; undefined for one in memory or in a database. */
  file: string | undefined
  close(): Promise<void>
}

/**
 * Opens a sandbox's data, making the file (0600, its folder 0700) or the tables on first use. Throws `config`, and leaves all as it is,
 * when it is damaged, another program's, of a newer version, or not ours to write; and `network` when the database cannot be reached.
 * @param notice says that a mode was put right
 */
export async function openStore(place: StorePlace, notice: Notice = () => {}): Promise<Store> {
  if ('file' in place) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(place.file, place.folder ?? 'ours', notice)
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(place.database)
}
