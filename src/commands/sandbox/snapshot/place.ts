import { basename, dirname, join, resolve } from 'node:path'
import type { Context, World } from '../../../context.ts'
import { SNAPSHOT_ENDING as ENDING, isSnapshotName } from '../../../domain/snapshot-name.ts'
import { usage } from '../../../errors.ts'

/** Returns the folder of the snapshots that are saved under a name instead of a path. */
export async function snapshotFolder(stateDir: string): Promise<string> {
  const { keptFolder } = await import('../../../disk/kept-files.ts')
  return keptFolder(stateDir, 'snapshots')
}

/**
 * Returns the file of a snapshot. A plain name means a file in the state folder. A text with a slash or the ending
 * `.db` is a path.
 */
export async function snapshotFile({ stateDir, cwd }: Pick<World, 'stateDir' | 'cwd'>, given: string): Promise<string> {
  if (/[/\\]/.test(given) || given.endsWith(ENDING)) return resolve(cwd, given)
  if (isSnapshotName(given)) return join(await snapshotFolder(stateDir), `${given}${ENDING}`)
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
export async function makeSnapshotFolder({ world, output }: Context, file: string): Promise<void> {
  if (dirname(file) !== (await snapshotFolder(world.stateDir))) return
  const { checkFile, makePrivateFolder } = await import('../../../disk/private.ts')
  makePrivateFolder(dirname(file), output.warn)
  checkFile(file)
}

/**
 * Checks a named snapshot before it is read. Throws `config` when the file or its folder is a link or belongs to
 * another user.
 */
export async function checkSnapshot({ world, output }: Context, file: string): Promise<void> {
  if (dirname(file) !== (await snapshotFolder(world.stateDir))) return
  const { checkFile, checkPrivateFolder } = await import('../../../disk/private.ts')
  if (checkPrivateFolder(dirname(file), output.warn)) checkFile(file)
}

/** Returns the name of the snapshot in a file; undefined if the file is not a snapshot. */
export const snapshotName = (file: string): string | undefined =>
  file.endsWith(ENDING) ? basename(file, ENDING) : undefined
