export const SNAPSHOT_ENDING = '.db'

/** The snapshot with which the sandbox is compared when a user asks for its changes without naming a snapshot. */
export const MARK = 'mark'

/** Whether a text is the name of a snapshot, not a path. */
export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}
