import { createReadStream } from 'node:fs'
import { access, constants, lstat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { World } from '../context.ts'
import { BnplError, codeOf, usage } from '../errors.ts'
import { type JUnitCase, toJUnit } from '../terminal/junit.ts'

/** The sort of a report: the option that names its file, and how a file of this sort begins, so that no other file is replaced. */
export interface ReportSort {
  option: string
  /** With an article. */
  named: string
  begins: RegExp
}

const JUNIT: ReportSort = {
  option: '--junit',
  named: 'a JUnit report',
  begins: /^\uFEFF?\s*(<\?xml[^>]*>\s*)?<testsuites?[\s>]/,
}

/**
 * Checks the path of `--junit` before anything is sent, and returns the absolute path; undefined without the option.
 * Throws `usage` if something that is not a JUnit report is there, and `output` when no file can be written there.
 */
export async function reportPlace(
  cwd: string,
  given: string | undefined,
  sort: ReportSort = JUNIT,
): Promise<string | undefined> {
  if (given === undefined) return undefined
  const path = resolve(cwd, given)
  try {
    await checkReport(path, given, sort)
    await access(dirname(path), constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof BnplError) throw error
    throw new BnplError('output', `no report can be written to ${path} (${codeOf(error)}); nothing was sent`, {
      code: 'REPORT_PLACE',
      hint: `Create the folder for the report, or name another file with ${sort.option}.`,
      cause: error,
    })
  }
  return path
}

async function checkReport(path: string, shown: string, { option, named, begins }: ReportSort): Promise<void> {
  const refuse = (what: string) =>
    usage(`${option} ${shown} is ${what}`, `Name another file with ${option}.`, 'REPORT_PLACE')
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return
  if (found.isDirectory()) throw refuse('a folder')
  if (found.isSymbolicLink()) throw refuse('a symbolic link, and bnpl does not write through links')
  if (!found.isFile()) throw refuse('not a regular file')
  if (found.size > 0 && !begins.test(await beginningOf(path))) throw refuse(`not ${named}, and was not changed`)
}

async function beginningOf(path: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: 511 })) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Writes a JUnit report without the secrets of this run, which replaces an earlier report. Other users may read it, because no part of it is
 * personal data and a CI system collects it. If that fails, no incomplete file remains. Throws
 * `output` when the report cannot be written, or when something that is not a JUnit report has appeared at the path.
 * @param timestamp ISO 8601, in UTC
 * @param wallMs how long the whole took, in ms (default: the sum of the cases)
 */
export async function writeJUnit(
  world: Pick<World, 'pid' | 'isAlive' | 'secrets'>,
  path: string,
  suite: string,
  cases: readonly JUnitCase[],
  timestamp: string,
  wallMs?: number,
): Promise<void> {
  await writeReport(world, path, toJUnit(suite, world.secrets.hideIn(cases), timestamp, wallMs), JUNIT)
}

/** Writes a report of any sort, as `writeJUnit` does. The caller has removed the secrets from the text. */
export async function writeReport(
  { pid, isAlive }: Pick<World, 'pid' | 'isAlive'>,
  path: string,
  text: string,
  sort: ReportSort,
): Promise<void> {
  const { openTarget, sweepStale } = await import('../disk/target-file.ts')
  await sweepStale(dirname(path), isAlive)
  try {
    const target = openTarget(path, { force: true, pid, mode: 0o666, makeFolder: false })
    try {
      target.take(Buffer.from(text))
      await checkReport(path, path, sort)
      await target.commit()
    } finally {
      await target.discard()
    }
  } catch (cause) {
    const code = cause instanceof BnplError ? cause.code : undefined
    throw new BnplError('output', `the report could not be written to ${path}${code ? ` (${code})` : ''}`, {
      code: 'REPORT_NOT_WRITTEN',
      hint: `Check the folder and its disk, or name another file with ${sort.option}.`,
      cause,
    })
  }
}
