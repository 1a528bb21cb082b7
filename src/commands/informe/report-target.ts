import { basename, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { informeFileName } from '../../contract/calls/reports.ts'
import type { TargetFile } from '../../disk/target-file.ts'
import { BnplError, usage } from '../../errors.ts'

export interface ReportPlace {
  dir?: string
  out?: string
  force: boolean
  swept?: boolean
}

/**
 * Returns the path of a report's file: the path that the user named, otherwise the name that the specification
 * gives. The name in a response header is never used. Throws `usage` for an id that cannot be part of a file name.
 */
export function reportPath(context: Context, preApproveId: string | undefined, { dir, out }: ReportPlace): string {
  const { cwd } = context.world
  if (out !== undefined) return resolve(cwd, out)
  const name = preApproveId === undefined ? '' : informeFileName(preApproveId)
  const path = resolve(cwd, dir ?? '.', name)
  if (name !== '' && FILE_NAME.test(name) && name.length <= 200 && basename(path) === name) return path
  throw usage(
    preApproveId === undefined
      ? 'the file of the report cannot be named, because no id was given'
      : `“${preApproveId}” has characters that are not allowed in the name of a file`,
    'Name the file with: --out FILE',
    'NO_FILE_NAME',
  )
}

const OTHER_PLACE = '--dir or --out'
const FILE_NAME = /^[A-Za-z0-9._~+=@ -]+$/

/**
 * Returns, for each path, the error that says why its file must not be written, or undefined if it can be written. Never
 * throws a `BnplError`.
 */
export async function problemsOf(paths: readonly string[], { force }: ReportPlace): Promise<(BnplError | undefined)[]> {
  const { checkTarget } = await import('../../disk/target-file.ts')
  const problems: (BnplError | undefined)[] = []
  for (const path of paths) {
    const found = await checkTarget(path, force, OTHER_PLACE).catch((error: unknown) => error)
    if (found !== undefined && !(found instanceof BnplError)) throw found
    const isFolder = found?.code === 'TARGET_IS_DIRECTORY'
    problems.push(isFolder ? found.withHint('Use --dir for a directory, --out for a file.') : found)
  }
  return problems
}

/** Opens the temporary file of a report, and removes temporary files of killed runs from its folder. */
export async function openReport(context: Context, path: string, { force, swept }: ReportPlace): Promise<TargetFile> {
  const { openTarget, sweepStale } = await import('../../disk/target-file.ts')
  const { pid, isAlive } = context.world
  if (!swept) await sweepStale(resolve(path, '..'), isAlive)
  return openTarget(path, { force, pid, otherPlace: OTHER_PLACE })
}
