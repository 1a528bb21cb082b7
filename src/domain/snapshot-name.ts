export const SNAPSHOT_ENDING = '.db'

/** The name of the snapshot with which `bnpl sandbox changes` compares the sandbox, unless the user names another one. */
export const MARK = 'mark'

/** Whether a text is the name of a snapshot, not a path. */
export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}
