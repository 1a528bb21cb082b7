import { lstatSync } from 'node:fs'

/** Which file a path leads to: a file that was replaced by one of the same name and content is another one. */
interface Identity {
  device: bigint
  inode: bigint
}

/** The file at a path, a link itself and not its target; undefined where there is none, or it cannot be looked at. */
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

/** What became of a file that is open. */
export type Loss = 'removed' | 'replaced'

/**
 * Watches a path while the file there is open; of a closed one the number may become another file's.
 * @returns what became of it; undefined while the path still leads to it
 */
export function watchPlace(path: string): () => Loss | undefined {
  const opened = identityOf(path)
  return () => {
    const now = identityOf(path)
    if (now === undefined) return 'removed'
    return isSame(opened, now) ? undefined : 'replaced'
  }
}
