/** The names of the sandbox's snapshots. A snapshot is saved under a name, as a file in the state folder, or at any path. */

/** The ending of a snapshot's file. */
export const SNAPSHOT_ENDING = '.db'

/** The name of the snapshot with which the sandbox is compared when a user asks for its changes without naming a snapshot. */
export const MARK = 'mark'

/** Whether a text is the name of a snapshot, not a path. */
export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}
