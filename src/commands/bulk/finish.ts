import type { Operation } from '../../bulk/operation.ts'
import type { RunEnd } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { BnplError, Interrupted } from '../../errors.ts'
import { CHECK_FIRST } from '../../terminal/output.ts'
import { renderFields } from '../../terminal/table.ts'
import { optionWords } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import type { OpenRun } from './open.ts'
import { type BulkOptions, flag } from './options.ts'
import type { BulkPlan } from './plan.ts'
import type { PreparedRun } from './prepare.ts'
import type { RunResults } from './run-results.ts'
import type { Tally } from './tally.ts'

interface Ending {
  options: BulkOptions
  plan: BulkPlan
  operation: Operation
  tally: Tally
  end: RunEnd
  failedFile: string | undefined
}

/** Renames the result files to their final names, closes the record of sent rows, and throws the error for the exit code. */
export async function finish(context: Context, prepared: PreparedRun, opened: OpenRun, ran: RunEnd): Promise<void> {
  const { options, plan, command, input } = prepared
  const { job, tally, results, sum } = opened
  if (ran.complete && !(await input.isUnchanged().catch(() => true)))
    context.output.warn(
      `${input.name} was changed during the run; the results are for the rows that the file had when the run began`,
    )
  let end = await deliver(results, ran)
  if (end.complete) {
    try {
      await command.onEnd?.(tally)
      job.end(new Date(context.clock.now()).toISOString(), sum.value())
    } catch (error) {
      end = { complete: false, error }
      job.pause()
    }
  } else if (tally.sent === 0) job.discard()
  else job.pause()
  await report(context, { options, plan, operation: command.operation, tally, end, failedFile: results.failedFile() })
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
  const unknown = tally.of('unknown')
  if (unknown > 0) throw unknownRows(context, ending, unknown)
  const failed = tally.of('failed')
  if (failed > 0) {
    throw new BnplError('partial', `${failed} of ${tally.rows} rows failed`, {
      code: 'ROWS_FAILED',
      hint: failedHint(context, ending),
    })
  }
  const others = tally.rows - tally.of('ok')
  if (others === 0) return
  throw new BnplError('check-failed', `${others} of ${tally.rows} rows are not as expected: ${kinds(tally)}`, {
    code: 'EXPECTATION_FAILED',
  })
}

const DIFFERENT: Readonly<Record<string, string>> = {
  amount: 'with an unexpected amount',
  state: 'in an unexpected state',
  periods: 'with an unexpected number of installments',
}

const inWords = (differences: Tally['differences']): string[] =>
  [...differences].map(([kind, count]) => `${count} ${DIFFERENT[kind] ?? kind}`)

function kinds({ outcomes, differences }: Tally): string {
  const found = [...outcomes].filter(([outcome]) => outcome !== 'ok' && outcome !== 'different')
  return [...found.map(([kind, count]) => `${count} ${kind}`), ...inWords(differences)].join(', ')
}

/**
 * Returns the options of the run as words for the next command, which continues or repeats the run. This includes the options that only
 * one command has, such as `--entity-id`.
 * @param but the options that the next command must not have, or that the caller adds
 */
const givenWords = (options: BulkOptions, but: readonly (keyof BulkOptions)[]): string[] =>
  Object.entries(options)
    .filter(([name, value]) => value !== undefined && !but.some((each) => each === name))
    .map(([name, value]) => (typeof value === 'string' ? optionWords(flag(name), value) : flag(name)))

/** Options that apply only to the run for which they were given. The command that runs the failed rows again leaves them out. */
const OF_ONE_RUN = ['from', 'out', 'failed', 'junit', 'resume', 'restart', 'retryUnknown'] as const

function failedHint(context: Context, { options, operation, tally, failedFile }: Ending): string {
  const words = failedFile && [optionWords('--from', failedFile), ...givenWords(options, OF_ONE_RUN)]
  const again = words && nextCommand(context, `bnpl ${operation.command}`, [], words)
  if (tally.refused < tally.of('failed')) {
    return again === undefined
      ? 'Read the reason in each failed row. Add --failed FILE to write the failed rows to a file that you can run again.'
      : `Run the failed rows again with: ${again}`
  }
  const why = 'The service would refuse these rows again. The message of each row says why'
  return again === undefined ? `${why}.` : `${why}. Correct the rows in ${failedFile}, then run: ${again}`
}

function unknownRows(context: Context, ending: Ending, unknown: number): BnplError {
  const again = retryUnknown(context, ending)
  return new BnplError(
    'outcome-unknown',
    `${unknown} of ${ending.tally.rows} rows were sent, but their outcome is unknown: ${unknownLines(ending)}`,
    {
      code: 'ROWS_UNKNOWN',
      hint: `Find out whether the service carried out these rows. If it carried out none of them, send all of them again with: ${again}`,
    },
  )
}

function retryUnknown(context: Context, { options, plan, operation }: Ending): string {
  const { output } = context.options
  const same = givenWords(options, ['from', 'resume', 'restart', 'retryUnknown'])
  const form = output === 'table' ? [] : [`-o ${output}`]
  const words = [optionWords('--from', plan.from), ...same, '--resume --retry-unknown', ...form]
  return nextCommand(context, `bnpl ${operation.command}`, [], words)
}

function unknownLines({ tally }: Ending): string {
  const unknown = tally.of('unknown')
  const lines = tally.unknownLines.join(', ') + (unknown > tally.unknownLines.length ? ', …' : '')
  return `line${unknown === 1 ? '' : 's'} ${lines}`
}

/** Returns the hint for the rows that an interrupted run sent and that were not answered. Without such rows, returns no hint. */
function findOutRows(context: Context, ending: Ending): { hint?: string } {
  if (ending.tally.of('unknown') === 0) return {}
  const rows = `the rows that were sent but not answered (${unknownLines(ending)})`
  return {
    hint: `Find out whether the service carried out ${rows}. If it carried out none of them, send all of them again with: ${retryUnknown(context, ending)}`,
  }
}

/**
 * Returns how many rows are done and how many are not, such as “20 of 60 rows are done, 27 failed, 13 were not sent”; undefined if every
 * row is done.
 */
function rowsInWords({ numbers }: Context, tally: Tally): string | undefined {
  const unknown = tally.of('unknown')
  const failed = tally.of('failed') - tally.refused
  const over = tally.sent + tally.known
  const parts = [
    `${numbers.count(over - unknown - failed)} of ${numbers.count(tally.rows)} rows are done`,
    ...(failed > 0 ? [`${numbers.count(failed)} failed`] : []),
    ...(unknown > 0 ? [`${numbers.count(unknown)} without a known outcome`] : []),
    ...(over < tally.rows ? [`${numbers.count(tally.rows - over)} were not sent`] : []),
  ]
  return parts.length === 1 ? undefined : parts.join(', ')
}

/** Returns the hint for a run that stopped. It says only once that the command must be run again. */
function continueHint({ hint, advice }: BnplError, resume: string): string {
  if (advice?.id === 'repeat') return `Continue with the same command and ${resume}. That is safe.`
  if (advice?.id === 'allow-more-time')
    return `Continue with the same command and ${resume}, which is safe. Add --timeout 60s to wait longer.`
  // Leave out the advice to check what was done, because the ledger contains the sent rows. If this run had the option `--restart`, say
  // that `--resume` must be given instead of `--restart`.
  const first = hint?.replace(CHECK_FIRST, '').replace('--resume', resume).trim()
  if (first === undefined) return `Continue with the same command and ${resume}.`
  return first.includes('--resume') ? first : `${first}\nThen continue with the same command and ${resume}.`
}

function stoppedBy(context: Context, error: unknown, ending: Ending): unknown {
  const { tally, plan } = ending
  const resume = plan.restart ? '--resume instead of --restart' : '--resume'
  const rows = rowsInWords(context, tally)
  if (error instanceof Interrupted) {
    const note = `Interrupted: ${rows ?? 'every row is done'}. Continue with the same command and ${resume}.`
    return new Interrupted(error.exitCode, note, findOutRows(context, ending))
  }
  if (!(error instanceof BnplError) || tally.sent === 0) return error
  return new BnplError(
    error.kind,
    `${error.message}\n${rows === undefined ? 'Every row is done.' : `The run was stopped: ${rows}.`}`,
    {
      ...(error.code === undefined ? {} : { code: error.code }),
      hint: continueHint(error, resume),
      ...(error.exchange === undefined ? {} : { exchange: error.exchange }),
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      cause: error,
    },
  )
}

function summaryData({ plan, tally, failedFile }: Ending): Record<string, unknown> {
  return {
    rows: tally.rows,
    sent: tally.sent,
    earlier: tally.earlier,
    ...Object.fromEntries(tally.outcomes),
    differences: Object.fromEntries(tally.differences),
    out: plan.out,
    failedFile: failedFile ?? null,
  }
}

function summaryLine({ numbers }: Context, { tally, failedFile }: Ending): string {
  const differences = tally.differences.size === 0 ? '' : ` (${inWords(tally.differences).join(', ')})`
  const counts = [...tally.outcomes].map(
    ([outcome, count]) => `${numbers.count(count)} ${outcome}${outcome === 'different' ? differences : ''}`,
  )
  const failed = failedFile === undefined ? '' : `; failed rows: ${failedFile}`
  return `${numbers.count(tally.done())} of ${numbers.count(tally.rows)} rows: ${counts.join(', ') || 'none'}${failed}`
}

function summaryTable(context: Context, { plan, tally, failedFile }: Ending): Promise<string> {
  const { numbers } = context
  const fields: [string, string][] = [['Rows', numbers.count(tally.rows)]]
  if (tally.earlier > 0) fields.push(['Done in earlier runs', numbers.count(tally.earlier)])
  for (const [outcome, count] of tally.outcomes) {
    fields.push([capital(outcome), numbers.count(count)])
    if (outcome !== 'different') continue
    for (const [kind, count] of tally.differences) fields.push([`  ${DIFFERENT[kind] ?? kind}`, numbers.count(count)])
  }
  fields.push(['Results', plan.out ?? 'stdout'])
  if (failedFile !== undefined) fields.push(['Failed rows', failedFile])
  return renderFields(fields, context.output)
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
