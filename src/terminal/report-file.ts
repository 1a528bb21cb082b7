import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { BnplError, usage } from '../errors.ts'

/**
 * Where `--junit` writes to, looked at before anything is sent. Throws `usage` when nothing can be written there.
 * @returns the absolute path, or undefined where none was given
 */
export async function reportPlace(cwd: string, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined
  const path = resolve(cwd, given)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) throw usage(`--junit ${given} is a folder`, 'Name a file.', 'REPORT_PLACE')
  try {
    await access(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw usage(
      `no report can be written to ${path} (${(error as NodeJS.ErrnoException).code})`,
      'Nothing was sent. Make its folder first, or name another file with --junit.',
      'REPORT_PLACE',
    )
  }
  return path
}

/** Throws `output` when the file cannot be written. */
export async function writeReport(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new BnplError('output', `the report could not be written to ${path}`, {
      code: 'REPORT_NOT_WRITTEN',
      cause: error,
    })
  }
}
