import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Operation } from '../../bulk/operation.ts'
import type { Context } from '../../context.ts'
import { identifierProblem } from '../../domain/identifiers.ts'
import { BnplError, errorAsJson } from '../../errors.ts'
import { formatPath } from '../../terminal/format.ts'
import { type Place, reportPath } from '../informe/report-target.ts'
import { saveReport } from '../informe/save-report.ts'
import type { Calls } from './calls.ts'
import type { BulkOptions } from './options.ts'
import { runBulk } from './run.ts'

const COLUMNS = [{ name: 'preApproveId', also: ['idPreAprobacion', 'id'], required: true }] as const

/** `informe download --from`: saves the report of every row as `PreAprobacion_<id>.pdf`. */
export async function downloadFile(
  context: Context,
  from: string,
  options: BulkOptions & { dir?: string },
): Promise<void> {
  const dir = resolve(context.world.cwd, options.dir ?? '.')
  await runBulk(context, from, options, (calls) => ({
    operation: downloads(context, calls, dir, options.force === true),
  }))
}

function downloads(context: Context, calls: Calls, dir: string, force: boolean): Operation {
  // A run that is gone on with may have saved a report and not noted it: that one is saved again.
  const place: Place = { dir, force: force || calls.resume, swept: true }
  const within: Context = {
    ...context,
    api: calls.api,
    signal: calls.signal,
    options: { ...context.options, quiet: true },
  }
  const pathOf = (preApproveId: string) => reportPath(context, preApproveId, place)
  let swept: Promise<void> | undefined
  return {
    command: 'informe download',
    things: 'downloads',
    columns: COLUMNS,
    id: 0,
    repeatable: true,
    settings: `dir ${dir}`,
    resultColumns: ['path', 'bytes', 'sha256', 'status'],
    check([preApproveId = '']) {
      const problem = identifierProblem(preApproveId)
      if (problem !== undefined) return [`preApproveId cannot be sent: ${problem}`]
      try {
        const path = pathOf(preApproveId)
        return place.force || !existsSync(path) ? [] : [`${path} is there already (--force replaces it)`]
      } catch (error) {
        if (!(error instanceof BnplError)) throw error
        return [error.message]
      }
    },
    async send([preApproveId = '']) {
      swept ??= sweep(context, dir)
      await swept
      try {
        const saved = await saveReport(within, { preApproveId, urlInforme: undefined }, pathOf(preApproveId), place)
        const { bytes, sha256, status } = saved
        return { outcome: 'ok', path: formatPath(context.world.cwd, saved.path), bytes, sha256, status }
      } catch (error) {
        // A file of another's making that came in the way meanwhile is this row's failure, not the run's.
        if (!(error instanceof BnplError) || error.kind !== 'usage') throw error
        return { outcome: 'failed', ...errorAsJson(error) }
      }
    },
  }
}

/** Clears away what killed runs left in the folder, once for all rows. */
async function sweep(context: Context, dir: string): Promise<void> {
  const { sweepStale } = await import('../../disk/target-file.ts')
  await sweepStale(dir, context.world.isAlive)
}
