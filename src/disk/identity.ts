import { lstatSync } from 'node:fs'

/** Identifies a file. A file that replaced another one under the same name is a different file, even with the same content. */
interface Identity {
  device: bigint
  inode: bigint
}

/** The file at a path; undefined if it does not exist or cannot be read. For a link, this is the link itself, not its target. */
export function identityOf(path: string): Identity | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return found && { device: found.dev, inode: found.ino }
  } catch {
    return undefined
  }
}

export const isSame = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one !== undefined && one.device === other?.device && one.inode === other.inode

/** What happened to a file that is open. */
export type Loss = 'removed' | 'replaced'

/**
 * Watches the path of an open file. The file must stay open, because a new file can get the inode of a file that was removed and closed.
 * @returns what happened to the file; undefined while the path still leads to that file
 */
export function watchPlace(path: string): () => Loss | undefined {
  const opened = identityOf(path)
  return () => {
    const now = identityOf(path)
    if (now === undefined) return 'removed'
    return isSame(opened, now) ? undefined : 'replaced'
  }
}
