export const SNAPSHOT_ENDING = '.db'

/** The name of the snapshot with which `bnpl sandbox changes` compares the sandbox, unless the user names another one. */
export const MARK = 'mark'

/** Whether a text is the name of a snapshot, not a path. */
export function isSnapshotName(text: string): boolean {
  return /^[\w][\w.-]{0,99}$/.test(text) && !text.endsWith(SNAPSHOT_ENDING)
}

/** Returns the name of the snapshot in a file; undefined if the name of the file is not that of a snapshot. */
export function snapshotNameOf(file: string): string | undefined {
  return file.endsWith(SNAPSHOT_ENDING) ? file.slice(0, -SNAPSHOT_ENDING.length) : undefined
}
