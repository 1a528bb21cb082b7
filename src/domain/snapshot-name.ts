/** How a snapshot of the sandbox is called: a plain name stands for a file of the state folder. */

export const SNAPSHOT_ENDING = '.db'

export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}
