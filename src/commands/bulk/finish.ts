import { columnFacts } from '../../bulk/columns.ts'
import type { StoredRows } from '../../bulk/job.ts'
import type { Ledger } from '../../bulk/ledger.ts'
import type { Operation } from '../../bulk/row.ts'
import type { RunEnd } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { BnplError, Interrupted } from '../../errors.ts'
import { CHECK_FIRST } from '../../terminal/output.ts'
import { renderFields } from '../../terminal/table.ts'
import { optionWords } from '../../text/shell-word.ts'
import { flag } from '../command.ts'
import { unexpected } from '../expectations.ts'
import { nextCommand } from '../global-options.ts'
import type { BulkOptions, BulkPlan } from './options.ts'
import type { OpenRun } from './prepare.ts'
import type { RunResults, Tally } from './results.ts'

/** Renames the result files to their final names, closes the record of sent rows, and throws the error for the exit code. */
export async function finish(context: Context, run: OpenRun, ran: RunEnd): Promise<void> {
  const { options, plan, command, input, checked, job, tally, results, sum } = run
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
    columns: columnFacts(command.operation.columns, checked.use, checked.filled),
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

/** Returns what a run compared with the answers, in words; undefined for a run that compares nothing by its nature. */
function comparison({ operation, columns: { compared } }: Ending): readonly string[] | undefined {
  if (operation.columns.every((each) => each.compared === undefined)) return undefined
  return compared.length === 0 ? ['only that a loan exists'] : compared
}

const inWords = (differences: Tally['differences']): string[] =>
  [...differences].map(([kind, count]) => `${count} ${unexpected(kind)}`)

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

function summaryLine({ numbers, output: { inLanguage } }: Context, ending: Ending): string {
  const { tally, failedFile } = ending
  const compared = comparison(ending)?.map((each) => inLanguage(each))
  const differences =
    tally.differences.size === 0
      ? ''
      : ` (${inWords(tally.differences)
          .map((text) => inLanguage(text))
          .join(', ')})`
  const counts = [...tally.outcomes].map(
    ([outcome, count]) =>
      `${inLanguage(`${numbers.count(count)} ${outcome}`)}${outcome === 'different' ? differences : ''}`,
  )
  const done = inLanguage(`${numbers.count(tally.done())} of ${numbers.count(tally.rows)} rows`)
  const parts = [`${done}: ${counts.join(', ') || inLanguage('none')}`]
  if (compared !== undefined) parts.push(inLanguage(`compared: ${compared.join(', ')}`))
  if (failedFile !== undefined) parts.push(inLanguage(`failed rows: ${failedFile}`))
  return parts.join('; ')
}

function summaryTable(context: Context, ending: Ending): Promise<string> {
  const { plan, tally, failedFile } = ending
  const { numbers, output } = context
  const fields: [string, string][] = [['Rows', numbers.count(tally.rows)]]
  if (tally.earlier > 0) fields.push(['Done in earlier runs', numbers.count(tally.earlier)])
  for (const [outcome, count] of tally.outcomes) {
    fields.push([capital(outcome), numbers.count(count)])
    if (outcome !== 'different') continue
    for (const [kind, count] of tally.differences) fields.push([`  ${unexpected(kind)}`, numbers.count(count)])
  }
  const compared = comparison(ending)?.map((each) => output.inLanguage(each))
  if (compared !== undefined) fields.push(['Compared', compared.join(', ')])
  fields.push(['Results', plan.out ?? 'stdout'])
  if (failedFile !== undefined) fields.push(['Failed rows', failedFile])
  return renderFields(fields, output)
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** How a run over a file ended. */
interface Ending {
  options: BulkOptions
  plan: BulkPlan
  operation: Operation
  tally: Tally
  end: RunEnd
  /** Which columns of the file are used, and what was compared with the answers. */
  columns: ReturnType<typeof columnFacts>
  /** What the ledger says about a run that stopped before its end. */
  stored: StoredRows | undefined
  /** The number of rows with an outcome that the ledger of a stopped run could not note. */
  unstored: number
  /** Whether every result of this run was written. */
  arePlaced: boolean
  failedFile: string | undefined
}

/**
 * Returns the options of the run as words for the next command, which continues or repeats the run. This includes the options that only
 * one command has, such as `--entity-id`.
 * @param but the options that the next command must not have, or that the caller adds
 */
const givenWords = (options: BulkOptions, but: readonly (keyof BulkOptions)[]): string[] =>
  Object.entries(options)
    .filter(([name, value]) => value !== undefined && !but.some((each) => each === name))
    .flatMap(([name, value]) =>
      [value].flat().map((each) => (typeof each === 'string' ? optionWords(flag(name), each) : flag(name))),
    )

/**
 * Options that apply only to the run for which they were given. The command that runs the failed rows again leaves them out. The file of
 * failed rows is always UTF-8, and has no rows of totals.
 */
const OF_ONE_RUN = [
  'encoding',
  'skipTotal',
  'from',
  'out',
  'failed',
  'junit',
  'resume',
  'restart',
  'retryUnknown',
] as const

const failedRows = (context: Context, ending: Ending): BnplError =>
  new BnplError('partial', `${ending.tally.of('failed')} of ${ending.tally.rows} rows failed`, {
    code: 'ROWS_FAILED',
    hint: failedHint(context, ending),
  })

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

function unknownRows(context: Context, ending: Ending): BnplError {
  const unknown = ending.tally.of('unknown')
  const again = retryUnknown(context, ending)
  return new BnplError(
    'outcome-unknown',
    `${unknown} of ${ending.tally.rows} rows were sent, but their outcome is unknown: ${unknownLines(ending, unknown)}`,
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

function unknownLines({ tally }: Ending, unknown: number): string {
  const lines = tally.unknownLines.join(', ') + (unknown > tally.unknownLines.length ? ', …' : '')
  return `line${unknown === 1 ? '' : 's'} ${lines}`
}

/**
 * Returns the numbers of rows of a run that stopped: those of the ledger, or those of this run alone if the ledger cannot be read.
 * `unstored` rows have an outcome that the next run will not know. They are in none of the other two parts of `sent`.
 */
function storedRows({ stored, unstored, operation, tally }: Ending): StoredRows & { unstored: number } {
  const sent = Math.max(stored?.sent ?? 0, tally.sent + tally.known)
  const failed = tally.of('failed') - tally.refused
  if (stored === undefined) return { sent, failed, unknown: tally.of('unknown'), unstored: 0 }
  // If calls are safe to repeat, the ledger has no intents, so it does not contain the unstored rows at all.
  if (operation.repeatable) return { ...stored, sent, unstored: sent - stored.sent }
  return { ...stored, sent, unknown: Math.max(0, stored.unknown - unstored), unstored }
}

/** Returns the hint for the rows that a stopped run sent and that were not answered; undefined without such rows. */
function findOutRows(context: Context, ending: Ending): string | undefined {
  const { unknown } = storedRows(ending)
  if (unknown === 0) return undefined
  const lines = ending.tally.unknownLines.length === 0 ? '' : ` (${unknownLines(ending, unknown)})`
  return `Find out whether the service carried out the rows that were sent but not answered${lines}. If it carried out none of them, send all of them again with: ${retryUnknown(context, ending)}`
}

/**
 * Returns how many rows are done and how many are not, such as “20 of 60 rows are done, 27 failed, 13 were not sent”; undefined if every
 * row is done.
 */
function rowsInWords({ numbers }: Context, ending: Ending): string | undefined {
  const { sent, failed, unknown, unstored } = storedRows(ending)
  const { rows } = ending.tally
  const parts = [
    `${numbers.count(sent - unknown - failed - unstored)} of ${numbers.count(rows)} rows are done`,
    ...(failed > 0 ? [`${numbers.count(failed)} failed`] : []),
    ...(unknown > 0 ? [`${numbers.count(unknown)} without a known outcome`] : []),
    ...(unstored > 0 ? [`${numbers.count(unstored)} answered but not noted in the ledger`] : []),
    ...(sent < rows ? [`${numbers.count(rows - sent)} were not sent`] : []),
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

/**
 * Returns the hint for rows that were answered, but whose outcome the ledger could not note; undefined if there are none. The next run will
 * not know these outcomes, and `--retry-unknown` would send the rows again.
 */
function keepResults({ numbers }: Context, { unstored, arePlaced, operation, plan }: Ending): string | undefined {
  // A call that is safe to repeat is simply repeated by the next run.
  if (unstored === 0 || operation.repeatable) return undefined
  const one = unstored === 1
  const [result, rows, these] = one
    ? ['result', '1 row', 'this row']
    : ['results', `${numbers.count(unstored)} rows`, 'these rows']
  const without = `--resume will report ${these} as unknown. Do not send ${one ? 'it' : 'them'} again with --retry-unknown, because the service has already answered ${one ? 'it' : 'them'}.`
  if (!arePlaced) return `The ${result} of ${rows} could not be stored. ${without}`
  const [place, keep] =
    plan.out === undefined
      ? ['the output of this run', 'Keep that output']
      : [plan.out, 'Copy that file before you continue, because --resume replaces it']
  return `The ledger could not note the ${result} of ${rows}. Only ${place} has ${one ? 'it' : 'them'}. ${keep}. ${without}`
}

/** Returns the error of a run that stopped before its last row. A fault of the program is returned unchanged. */
function stoppedBy(context: Context, error: unknown, ending: Ending): unknown {
  const { tally, plan } = ending
  const resume = plan.restart ? '--resume instead of --restart' : '--resume'
  const rows = rowsInWords(context, ending)
  const findOut = findOutRows(context, ending)
  const keep = keepResults(context, ending)
  if (error instanceof Interrupted) {
    const why =
      error.exitCode === 129 ? 'Interrupted, because the terminal or session has ended (SIGHUP)' : 'Interrupted'
    const note = `${why}: ${rows ?? 'every row is done'}. Continue with the same command and ${resume}.`
    const hints = [keep, findOut].filter((each) => each !== undefined)
    return new Interrupted(error.exitCode, note, { hint: hints.join('\n') || undefined })
  }
  if (!(error instanceof BnplError) || tally.sent === 0) return error
  const how = rows === undefined ? 'Every row is done.' : `The run was stopped: ${rows}.`
  // The hint of one row would say that this row must not be sent again, but `--resume` sends no row whose outcome is unknown.
  const hint =
    error.kind === 'outcome-unknown' && findOut !== undefined
      ? `To send only the other rows, use the same command and ${resume}.\n${findOut}`
      : continueHint(error, resume)
  return new BnplError(error.kind, `${error.message}\n${how}`, {
    code: error.code,
    hint: keep === undefined ? hint : `${keep}\n${hint}`,
    exchange: error.exchange,
    retryAfterMs: error.retryAfterMs,
    cause: error,
  })
}
