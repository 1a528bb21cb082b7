import { fstatSync, lstatSync } from 'node:fs'

/** Identifies a file. A new file under the same name has another identity, even with the same content. */
export interface Identity {
  device: bigint
  inode: bigint
}

/** Returns the identity of the file at a path, or undefined if it does not exist or cannot be read. Does not follow links. */
export function identityOf(path: string): Identity | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return found && { device: found.dev, inode: found.ino }
  } catch {
    return undefined
  }
}

/** Returns the identity of an open file. */
export function identityOfOpen(file: number): Identity {
  const { dev, ino } = fstatSync(file, { bigint: true })
  return { device: dev, inode: ino }
}

/** Whether both identities are known, and are of the same file. */
export const isSame = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one !== undefined && one.device === other?.device && one.inode === other.inode

export type Loss = 'removed or renamed' | 'replaced'

/**
 * Watches the path of an open file. The returned function returns what happened to the file, or undefined if the file is still at the path.
 * The file must stay open, because a new file can get the inode of a file that was closed and removed.
 */
export function watchPlace(path: string): () => Loss | undefined {
  const opened = identityOf(path)
  return () => {
    const now = identityOf(path)
    if (now === undefined) return 'removed or renamed'
    return isSame(opened, now) ? undefined : 'replaced'
  }
}
