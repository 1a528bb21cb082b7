import type { Notice } from '../../disk/private.ts'
import type { DatabasePlan } from '../../postgres/pool.ts'
import type { Store } from './store.ts'

/** Where a sandbox keeps its state. */
export type StorePlace =
  /** `file` is a path, or `:memory:`. `folder` is `theirs` when the user named the file: its mode is then not ours to change. */
  | { file: string; folder?: 'ours' | 'theirs' }
  /** Shared by the sandboxes of any number of machines. */
  | { database: DatabasePlan }

/**
 * Opens a sandbox's data. Makes the file (0600, its folder 0700) or the tables on first use. Throws `config`, and changes nothing, when the
 * data is damaged, another program's, of a newer version, or may not be written; throws `network` when the database cannot be reached.
 * @param notice says that a file was open to other users and is closed now
 */
export async function openStore(place: StorePlace, notice: Notice = () => {}): Promise<Store> {
  if ('file' in place) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(place.file, place.folder ?? 'ours', notice)
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(place.database)
}
