import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Context, World } from '../../context.ts'
import { keptFolder } from '../../disk/kept-files.ts'
import { checkFile, checkPrivateFolder, makePrivateFolder } from '../../disk/private.ts'
import { isSnapshotName, SNAPSHOT_ENDING, snapshotNameOf } from '../../domain/sandbox-accounts.ts'
import { usage } from '../../errors.ts'

/** Returns the folder of the snapshots that are saved under a name instead of a path. */
const snapshotFolder = (stateDir: string): string => keptFolder(stateDir, 'snapshots')

/**
 * Returns the file of a snapshot. A plain name means a file in the state folder. A text with a slash or the ending
 * `.db` is a path.
 */
export function snapshotFile({ stateDir, cwd }: Pick<World, 'stateDir' | 'cwd'>, given: string): string {
  if (/[/\\]/.test(given) || given.endsWith(SNAPSHOT_ENDING)) return resolve(cwd, given)
  if (isSnapshotName(given)) return join(snapshotFolder(stateDir), `${given}${SNAPSHOT_ENDING}`)
  throw usage(
    `“${given}” is not a valid snapshot name`,
    'Use letters, digits, dots, dashes and underscores, or a path such as ./paid.db.',
    'INVALID_SNAPSHOT_NAME',
  )
}

/**
 * Creates the folder of named snapshots (mode 0700) if `file` is a path in that folder. Throws `config` when the folder is a link
 * or belongs to another user.
 */
export function makeSnapshotFolder({ world, output }: Context, file: string): void {
  if (dirname(file) !== snapshotFolder(world.stateDir)) return
  makePrivateFolder(dirname(file), output.warn)
  checkFile(file)
}

/**
 * Checks a named snapshot before it is read. Throws `config` when the file or its folder is a link or belongs to
 * another user.
 */
export function checkSnapshot({ world, output }: Context, file: string): void {
  if (dirname(file) !== snapshotFolder(world.stateDir)) return
  if (checkPrivateFolder(dirname(file), output.warn)) checkFile(file)
}

interface Kept {
  name: string
  savedAt: string
  bytes: number
  file: string
}

/** Returns the snapshots that were saved under a name, the newest first. Throws `config` as `checkSnapshot` does. */
export async function keptSnapshots(stateDir: string, warn: (text: string) => void): Promise<Kept[]> {
  const folder = snapshotFolder(stateDir)
  const files = checkPrivateFolder(folder, warn) ? await readdir(folder).catch(() => []) : []
  const kept: Kept[] = []
  for (const entry of files) {
    const name = snapshotNameOf(entry)
    const file = join(folder, entry)
    const found = name === undefined ? undefined : await lstat(file).catch(() => undefined)
    if (name === undefined || !found?.isFile()) continue
    kept.push({ name, savedAt: found.mtime.toISOString(), bytes: found.size, file })
  }
  return kept.sort((a, b) => b.savedAt.localeCompare(a.savedAt))
}
