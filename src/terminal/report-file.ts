import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { BnplError, codeOf, usage } from '../errors.ts'
import { type JUnitCase, toJUnit } from './junit.ts'

/**
 * Where `--junit` writes to, looked at before anything is sent. Throws `usage` for a folder, `output` when nothing may be written there.
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
    throw new BnplError('output', `no report can be written to ${path} (${codeOf(error)}); nothing was sent`, {
      code: 'REPORT_PLACE',
      hint: 'Make its folder first, or name another file with --junit.',
      cause: error,
    })
  }
  return path
}

/** Writes a JUnit report. @param timestamp ISO 8601, in UTC. Throws `output` when the file cannot be written */
export async function writeJUnit(
  path: string,
  suite: string,
  cases: readonly JUnitCase[],
  timestamp: string,
): Promise<void> {
  try {
    await writeFile(path, toJUnit(suite, cases, timestamp))
  } catch (error) {
    throw new BnplError('output', `the report could not be written to ${path}`, {
      code: 'REPORT_NOT_WRITTEN',
      cause: error,
    })
  }
}
