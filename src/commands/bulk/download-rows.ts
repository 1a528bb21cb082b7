import { hash } from 'node:crypto'
import { existsSync, lstatSync, type Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { column } from '../../bulk/columns.ts'
import type { Operation, RowCall, RowResult } from '../../bulk/row.ts'
import type { Context } from '../../context.ts'
import { beginsWith } from '../../disk/append-file.ts'
import { diskFailure } from '../../disk/failure.ts'
import { sweepStale } from '../../disk/target-file.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { BnplError, errorAsJson } from '../../errors.ts'
import { formatPath } from '../../terminal/numbers.ts'
import { noteOtherRequests } from '../global-options.ts'
import { type ReportPlace, reportPath, saveReport } from '../report-download.ts'
import { runFile } from './file-run.ts'
import type { BulkOptions } from './options.ts'
import type { Calls } from './prepare.ts'

/**
 * `informe download --from`: saves the report of every row as `PreAprobacion_<id>.pdf`. A report that already exists
 * is replaced only with `--force` or in a resumed run.
 */
export async function downloadFile(
  context: Context,
  from: string,
  options: BulkOptions & { dir?: string },
): Promise<void> {
  const dir = resolve(context.world.cwd, options.dir ?? '.')
  noteOtherRequests(context)
  await runFile(context, from, options, (calls) => ({
    operation: { ...downloads(context, calls, dir, options.force === true), columns: COLUMNS },
  }))
}

const COLUMNS = [column('preApproveId', { required: true })]

function downloads(context: Context, calls: Calls, dir: string, force: boolean): Omit<Operation, 'columns'> {
  // A resumed run may replace a report, because the interrupted run may have saved the report without recording it.
  const place: ReportPlace = { dir, force: force || calls.resume, swept: true }
  const within: Context = {
    ...context,
    api: calls.api,
    signal: calls.signal,
    options: { ...context.options, quiet: true },
  }
  let swept: Promise<void> | undefined
  const downloadOf = (preApproveId: string, path: string): RowCall => ({
    obstacle: () => obstacleAt(path, place.force),
    async send() {
      if (!place.force && existsSync(path)) return left(context, path)
      swept ??= sweepStale(dir, context.world.isAlive)
      await swept
      try {
        const saved = await saveReport(within, { preApproveId, urlInforme: undefined }, path, place)
        const { bytes, sha256, status } = saved
        return { outcome: 'ok', path: formatPath(context.world.cwd, saved.path), bytes, sha256, status }
      } catch (error) {
        if (!(error instanceof BnplError) || error.kind !== 'usage') throw error
        return { outcome: 'failed', ...errorAsJson(error) }
      }
    },
  })
  return {
    command: 'informe download',
    things: 'downloads',
    id: 0,
    repeatable: true,
    settings: `dir ${dir}`,
    resultColumns: ['path', 'bytes', 'sha256', 'status'],
    read([preApproveId = '']) {
      const problem = identifierProblem(preApproveId)
      if (problem !== undefined) return { problems: [{ column: 0, says: `it cannot be sent: ${problem}` }] }
      try {
        return downloadOf(preApproveId, reportPath(context, preApproveId, place))
      } catch (error) {
        if (!(error instanceof BnplError)) throw error
        return { problems: [error.message] }
      }
    },
  }
}

async function left(context: Context, path: string): Promise<RowResult> {
  const content = await readFile(path)
  const sha256 = hash('sha256', content)
  return {
    outcome: 'ok',
    path: formatPath(context.world.cwd, path),
    bytes: content.length,
    sha256,
    status: 'exists',
  }
}

const PDF_BEGINNING = '%PDF-'

/** Returns why a report cannot be saved at a path, or undefined if it can. A PDF that exists there is kept as the report, or replaced. */
function obstacleAt(path: string, force: boolean): string | undefined {
  let found: Stats | undefined
  try {
    found = lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return diskFailure(`${path} cannot be read`, error).message
  }
  if (found === undefined) return undefined
  if (!found.isFile()) return `${path} is ${found.isDirectory() ? 'a folder' : 'not a regular file'}`
  return force || beginsWith(path, PDF_BEGINNING)
    ? undefined
    : `${path} already exists and is not a PDF (--force replaces it)`
}
