/** Names of snapshots of the sandbox. A plain name is a file in the state folder. */

/** The ending of a snapshot's file. */
export const SNAPSHOT_ENDING = '.db'

/** The name of the snapshot that marks a moment. The sandbox shows what changed since that moment. */
export const MARK = 'mark'

/** Whether a text is the name of a snapshot, not a path. */
export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}
