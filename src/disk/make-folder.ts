import { lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and the missing folders above it. Does not use Node's `recursive`, which never returns in `/proc`. Throws system errors.
 * @param mode of each folder that is made, before the umask
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isThere(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isThere(folder)) throw error
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
