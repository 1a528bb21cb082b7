import type { Notice } from '../../disk/private.ts'
import type { DatabasePlan } from '../../postgres/pool.ts'
import type { Store } from './store.ts'

/** Where a sandbox keeps its state. */
export type StorePlace =
  /** `file` is a path, or `:memory:`. If the user named the file, `folder` is `theirs`, and the folder's mode is not changed. */
  { file: string; folder?: 'ours' | 'theirs' } | { database: DatabasePlan }

/**
 * Opens a sandbox's data, and creates the file (mode 0600) or the tables on first use. Throws `config`, and changes nothing, when the data
 * is damaged, belongs to another program, is from a newer bnpl, or is not writable. Throws `network` when the database cannot be reached.
 * @param notice called when a file was readable by other users and has been made private
 */
export async function openStore(place: StorePlace, notice: Notice = () => {}): Promise<Store> {
  if ('file' in place) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(place.file, place.folder ?? 'ours', notice)
  }
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(place.database)
}
