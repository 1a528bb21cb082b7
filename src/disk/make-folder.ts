import { lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and the missing folders above it. Throws system errors. Node's `recursive` is not used, because it never returns on a file
 * system that cannot have new folders (`/proc`).
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
