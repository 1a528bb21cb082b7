import type { Claims } from '../../bulk/claims.ts'
import type { CheckedRows } from '../../bulk/earlier-runs.ts'
import type { RowSum } from '../../bulk/id-hashes.ts'
import type { Job } from '../../bulk/job.ts'
import type { ResultTextOptions } from '../../bulk/result-rows.ts'
import type { Context } from '../../context.ts'
import { addressPrefix } from '../../domain/origin.ts'
import type { Settings } from '../../profiles/resolve.ts'
import { harmlessCell } from '../../terminal/csv.ts'
import type { Numbers } from '../../terminal/numbers.ts'
import { harmlessJson, visible } from '../../text/visible.ts'
import { historyKey } from '../history-notes.ts'
import type { PreparedRun } from './prepare.ts'
import { openRunResults, type RunResults } from './run-results.ts'
import { createTally, type Tally } from './tally.ts'

export interface OpenRun {
  job: Job
  tally: Tally
  results: RunResults
  sum: RowSum
}

/** Opens the record of sent rows, then the result files. If this fails, the record of an earlier run is not changed. */
export async function openRun(context: Context, prepared: PreparedRun, claims: Claims): Promise<OpenRun> {
  const { plan, command, input, checked, file } = prepared
  const { operation } = command
  const [{ openJob }, { claimFiles }, { createRowSum }, { isFinal }, { createResultText }, { keptFolder }] =
    await Promise.all([
      import('../../bulk/job.ts'),
      import('../../bulk/claims.ts'),
      import('../../bulk/id-hashes.ts'),
      import('../../bulk/outcome.ts'),
      import('../../bulk/result-rows.ts'),
      import('../../disk/kept-files.ts'),
    ])
  const { world, clock } = context
  const settings = await context.settings()
  const job = await openJob({
    dir: keptFolder(world.stateDir, 'bulk'),
    claims,
    facts: {
      command: operation.command,
      profile: runAccount(settings),
      source: input.path ?? 'stdin',
      digest: checked.blocks.digest,
      settings: operation.settings,
      rows: checked.rows,
      startedAt: new Date(clock.now()).toISOString(),
      pid: world.pid,
    },
    rows: await checkedRows(prepared),
    repeatable: operation.repeatable,
    resume: plan.resume,
    restart: plan.restart,
    notice: context.output.warn,
  })
  try {
    const tally = createTally(checked.rows, job.known(plan.retryUnknown), isFinal)
    const text = await createResultText(plan.form ?? file.form, {
      operation,
      otherColumns: checked.otherColumns ?? [],
      cell: cellsFor(plan.csvRaw, plan.out === undefined && context.io.stdoutIsTty),
      clean: harmlessJson,
      isForExcel: plan.csvExcel,
    })
    const claim = (paths: readonly string[]) => claimFiles(claims, paths)
    const results = await openRunResults(context, { plan, file, text, operation, input: input.path, claim })
    if (job.extends !== undefined) context.output.note(extendsNote(job.extends, tally, context.numbers))
    return { job, tally, results, sum: createRowSum() }
  } catch (error) {
    job.discard()
    throw error
  }
}

function extendsNote(startedAt: string, { rows, known }: Tally, numbers: Numbers): string {
  const [rowsWere, are] = known === 1 ? ['1 row was', 'is'] : [`${numbers.count(known)} rows were`, 'are']
  const otherRows = rows - known === 1 ? 'the other row' : `the other ${numbers.count(rows - known)} rows`
  return `${rowsWere} sent by the run of ${startedAt} and ${are} not sent again; sending ${otherRows}`
}

async function checkedRows({ command, checked, input }: PreparedRun): Promise<CheckedRows> {
  const { openRows } = await import('../../bulk/row-file.ts')
  const { operation } = command
  const { repeatable } = operation
  return {
    ids: repeatable ? new Float64Array() : checked.ids,
    async *again() {
      const file = await openRows(input, operation)
      for await (const batch of file.batches) {
        yield batch.map((row) => file.values(row)).filter((values) => typeof values !== 'string')
      }
    },
  }
}

/**
 * Returns the account to which a run belongs. An address with a slash at its end, or in upper case, is the same account, because the calls go
 * to the same address.
 */
function runAccount(settings: Settings): string {
  return `${historyKey(settings)} ${settings.baseUrl === undefined ? '' : addressPrefix(settings.baseUrl.value)}`
}

type ToCell = ResultTextOptions['cell']

const rawCell: ToCell = (value) => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? '')
}

/** Returns the function that converts values to cells. On a terminal, control characters are always made visible. */
function cellsFor(csvRaw: boolean, isTerminal: boolean): ToCell {
  const chosen = csvRaw ? rawCell : harmlessCell
  if (!isTerminal) return chosen
  return (value) => {
    const text = chosen(value)
    return typeof text === 'string' ? visible(text) : text
  }
}
