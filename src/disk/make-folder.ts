import { lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and what is missing above it. By hand: where a file system has no folders to give (`/proc`), Node's own `recursive`
 * never comes back. Throws what the system says.
 * @param mode of each folder that is made, before the umask
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isThere(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process was quicker.
    if (!isThere(folder)) throw error
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
