import { join } from 'node:path'

/** How a snapshot of the sandbox is called: a plain name stands for a file of the state folder. */

export const SNAPSHOT_ENDING = '.db'

/** Where snapshots go that have a name and no path. */
export const snapshotFolder = (stateDir: string): string => join(stateDir, 'snapshots')

export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}
