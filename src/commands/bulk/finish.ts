import type { Ledger } from '../../bulk/ledger.ts'
import type { RunEnd } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import { renderFields } from '../../terminal/table.ts'
import type { OpenRun } from './open.ts'
import type { PreparedRun } from './prepare.ts'
import { type Ending, failedRows, stoppedBy, unknownRows } from './run-errors.ts'
import type { RunResults } from './run-results.ts'
import type { Tally } from './tally.ts'

/** Renames the result files to their final names, closes the record of sent rows, and throws the error for the exit code. */
export async function finish(context: Context, prepared: PreparedRun, opened: OpenRun, ran: RunEnd): Promise<void> {
  const { columnFacts } = await import('../../bulk/columns.ts')
  const { options, plan, command, input } = prepared
  const { job, tally, results, sum } = opened
  if (ran.complete && !(await input.isUnchanged().catch(() => true)))
    context.output.warn(
      `${input.name} was changed during the run; the results are for the rows that the file had when the run began`,
    )
  let end = await deliver(results, ran)
  const arePlaced = end.complete || (end === ran && results.begun() && !results.broken.aborted)
  const unstored = end.complete ? 0 : storeRest(job.ledger)
  let stored = end.complete ? undefined : job.stored()
  if (end.complete) {
    try {
      await command.onEnd?.(tally)
      job.end(new Date(context.clock.now()).toISOString(), sum.value())
    } catch (error) {
      end = { complete: false, error }
      stored = job.stored()
      job.pause()
    }
  } else if (tally.sent === 0) job.discard()
  else job.pause()
  const failedFile = results.failedFile()
  await report(context, {
    options,
    plan,
    operation: command.operation,
    columns: columnFacts(command.operation.columns, prepared.checked.use, prepared.checked.filled),
    tally,
    end,
    stored,
    unstored,
    arePlaced,
    failedFile,
  })
}

/**
 * Tries once more to write the outcomes that are still in memory, because results that had no room are removed by now. Returns how many
 * rows have an outcome that still could not be written.
 */
function storeRest(ledger: Ledger): number {
  if (ledger.unstored() === 0) return 0
  try {
    ledger.flush()
  } catch {
    // The run already ends with the error of the first flush that failed.
  }
  return ledger.unstored()
}

async function deliver(results: RunResults, ran: RunEnd): Promise<RunEnd> {
  try {
    if (ran.complete || results.begun()) await results.finish()
    else await results.abandon()
  } catch (error) {
    return { complete: false, error }
  }
  return ran.complete && results.broken.aborted ? { complete: false, error: results.broken.reason } : ran
}

/**
 * Prints the summary and throws the error that decides the exit code: the reason why the run was stopped, otherwise
 * rows with an unknown outcome (exit code 12), failed rows (11), or unexpected answers (10).
 */
async function report(context: Context, ending: Ending): Promise<void> {
  const { plan, end, tally } = ending
  if (plan.out === undefined && (end.complete || tally.done() > 0)) context.output.note(summaryLine(context, ending))
  if (plan.out !== undefined && end.complete)
    await context.output.result(summaryData(ending), () => summaryTable(context, ending))
  if (!end.complete) throw stoppedBy(context, end.error, ending)
  if (tally.of('unknown') > 0) throw unknownRows(context, ending)
  if (tally.of('failed') > 0) throw failedRows(context, ending)
  const others = tally.rows - tally.of('ok')
  if (others === 0) return
  throw new BnplError('check-failed', `${others} of ${tally.rows} rows are not as expected: ${kinds(tally)}`, {
    code: 'EXPECTATION_FAILED',
  })
}

const DIFFERENT: Readonly<Record<string, string>> = {
  externalTrxId: 'with another externalTrxId',
  amount: 'with an unexpected amount',
  state: 'in an unexpected state',
  periods: 'with an unexpected number of installments',
  installmentAmount: 'with an unexpected installment amount',
  lastInstallmentAmount: 'with an unexpected last installment amount',
  interestRate: 'with an unexpected interest rate',
  transferDate: 'with an unexpected transfer date',
}

/** Returns what a run compared with the answers, in words; undefined for a run that compares nothing by its nature. */
function comparison({ operation, columns: { compared } }: Ending): string | undefined {
  if (operation.columns.every((each) => each.compared === undefined)) return undefined
  return compared.length === 0 ? 'only that a loan exists' : compared.join(', ')
}

const inWords = (differences: Tally['differences']): string[] =>
  [...differences].map(([kind, count]) => `${count} ${DIFFERENT[kind] ?? kind}`)

function kinds({ outcomes, differences }: Tally): string {
  const found = [...outcomes].filter(([outcome]) => outcome !== 'ok' && outcome !== 'different')
  return [...found.map(([kind, count]) => `${count} ${kind}`), ...inWords(differences)].join(', ')
}

function summaryData(ending: Ending): Record<string, unknown> {
  const { plan, tally, failedFile, columns } = ending
  const { compared, ...named } = columns
  return {
    rows: tally.rows,
    sent: tally.sent,
    earlier: tally.earlier,
    ...Object.fromEntries(tally.outcomes),
    differences: Object.fromEntries(tally.differences),
    out: plan.out,
    failedFile: failedFile ?? null,
    columns: named,
    ...(comparison(ending) === undefined ? {} : { compared }),
  }
}

function summaryLine({ numbers }: Context, ending: Ending): string {
  const { tally, failedFile } = ending
  const compared = comparison(ending)
  const differences = tally.differences.size === 0 ? '' : ` (${inWords(tally.differences).join(', ')})`
  const counts = [...tally.outcomes].map(
    ([outcome, count]) => `${numbers.count(count)} ${outcome}${outcome === 'different' ? differences : ''}`,
  )
  const failed = failedFile === undefined ? '' : `; failed rows: ${failedFile}`
  return `${numbers.count(tally.done())} of ${numbers.count(tally.rows)} rows: ${counts.join(', ') || 'none'}${compared === undefined ? '' : `; compared: ${compared}`}${failed}`
}

function summaryTable(context: Context, ending: Ending): Promise<string> {
  const { plan, tally, failedFile } = ending
  const { numbers } = context
  const fields: [string, string][] = [['Rows', numbers.count(tally.rows)]]
  if (tally.earlier > 0) fields.push(['Done in earlier runs', numbers.count(tally.earlier)])
  for (const [outcome, count] of tally.outcomes) {
    fields.push([capital(outcome), numbers.count(count)])
    if (outcome !== 'different') continue
    for (const [kind, count] of tally.differences) fields.push([`  ${DIFFERENT[kind] ?? kind}`, numbers.count(count)])
  }
  const compared = comparison(ending)
  if (compared !== undefined) fields.push(['Compared', compared])
  fields.push(['Results', plan.out ?? 'stdout'])
  if (failedFile !== undefined) fields.push(['Failed rows', failedFile])
  return renderFields(fields, context.output)
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
