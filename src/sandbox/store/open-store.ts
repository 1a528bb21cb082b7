import type { Notice } from '../../disk/private.ts'
import type { Store } from './store.ts'

/**
 * Where a sandbox keeps its state. `file` is a path, or `:memory:`. If the user named the file, `folder` is `theirs`, and the folder's mode
 * is not changed.
 */
export interface StorePlace {
  file: string
  folder?: 'ours' | 'theirs'
}

/**
 * Opens a sandbox's data, and creates the file (mode 0600) on first use. Throws `config`, and changes nothing, when the data is damaged,
 * belongs to another program, is from a newer bnpl, or is not writable.
 * @param notice called when a file was readable by other users and has been made private
 */
export async function openStore({ file, folder = 'ours' }: StorePlace, notice: Notice = () => {}): Promise<Store> {
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(file, folder, notice)
}
