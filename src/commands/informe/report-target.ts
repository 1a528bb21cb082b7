import { basename, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { informeFileName } from '../../contract/report.ts'
import type { TargetFile } from '../../disk/target-file.ts'
import { BnplError, usage } from '../../errors.ts'

/** Where the reports of one command go. */
export interface Place {
  dir?: string
  out?: string
  force: boolean
  /** What killed runs left there was cleared away already. */
  swept?: boolean
}

/**
 * The file a report goes to: the specified name in the folder asked for, whatever any header says, or the file that was named.
 * Throws `usage` for an id whose name would be another file's.
 */
export function reportPath(context: Context, preApproveId: string | undefined, { dir, out }: Place): string {
  const { cwd } = context.world
  if (out !== undefined) return resolve(cwd, out)
  const name = preApproveId === undefined ? '' : informeFileName(preApproveId)
  const path = resolve(cwd, dir ?? '.', name)
  if (name !== '' && FILE_NAME.test(name) && name.length <= 200 && basename(path) === name) return path
  throw usage(
    preApproveId === undefined
      ? 'there is no id to name the file after'
      : `“${preApproveId}” has characters that no file name here may have`,
    'Name the file: --out FILE',
    'NO_FILE_NAME',
  )
}

/** Letters that are harmless in a file name on every system. */
const FILE_NAME = /^[A-Za-z0-9._~+=@ -]+$/

/**
 * Looks at every target before anything is sent.
 * @returns why a target may not be written, in the order of the paths; undefined for those that may
 */
export async function problemsOf(paths: readonly string[], { force }: Place): Promise<(BnplError | undefined)[]> {
  const { checkTarget } = await import('../../disk/target-file.ts')
  const problems: (BnplError | undefined)[] = []
  for (const path of paths) {
    const found = await checkTarget(path, force).catch((error: unknown) => error)
    if (found !== undefined && !(found instanceof BnplError)) throw found
    problems.push(found)
  }
  return problems
}

/** Opens a target's temporary file, after clearing away what killed runs left beside it. */
export async function openReport(context: Context, path: string, { force, swept }: Place): Promise<TargetFile> {
  const { openTarget, sweepStale } = await import('../../disk/target-file.ts')
  const { pid, isAlive } = context.world
  if (!swept) await sweepStale(resolve(path, '..'), isAlive)
  return openTarget(path, { force, pid })
}
