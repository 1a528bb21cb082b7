import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { config } from '../errors.ts'
import type { Claims } from './claims.ts'

/**
 * Claims the files that a run writes. Throws `config` when another run writes one of them.
 * @param paths absolute paths. A file in a missing folder is not claimed, because the run cannot create that file
 */
export function claimFiles(claims: Claims, paths: readonly (string | undefined)[]): void {
  for (const path of paths) {
    const name = path === undefined ? undefined : claimOf(path)
    const taken = name === undefined ? undefined : claims.take([name])
    if (taken === undefined) continue
    throw config(
      `${path} is being written by another run (pid ${taken.pid})`,
      'Wait for that process, or name another file. Nothing was sent.',
      'OUTPUT_LOCKED',
    )
  }
}

/** Returns the same name for all paths to the same file. Returns undefined when the folder of the file is missing. */
function claimOf(path: string): string | undefined {
  const real = existsSync(path) ? realpathSync(path) : path
  const folder = statSync(dirname(real), { bigint: true, throwIfNoEntry: false })
  return folder && `file ${folder.dev}:${folder.ino}/${basename(real)}`
}
