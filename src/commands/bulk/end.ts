import type { Operation } from '../../bulk/operation.ts'
import type { RunEnd } from '../../bulk/run.ts'
import type { Context } from '../../context.ts'
import { groupDigits } from '../../domain/amount.ts'
import { BnplError, Interrupted } from '../../errors.ts'
import { renderFields } from '../../terminal/table.ts'
import { optionWords } from '../../text/shell-word.ts'
import { nextCommand } from '../global-options.ts'
import type { BulkPlan } from './plan.ts'
import type { Tally } from './tally.ts'

export interface BulkEnding {
  plan: BulkPlan
  operation: Operation
  tally: Tally
  end: RunEnd
  failedFile: string | undefined
}

/**
 * Says what a run came to (on stdout where the results went into a file, else on stderr) and throws the error of its exit code:
 * what stopped it, else unknown rows (12), failed ones (11), answers that are not as expected (10).
 */
export async function endOf(context: Context, ending: BulkEnding): Promise<void> {
  const { plan, end, tally } = ending
  if (plan.out === undefined && (end.complete || tally.done() > 0)) context.output.note(summaryLine(ending))
  if (plan.out !== undefined && end.complete)
    await context.output.result(summaryData(ending), () => summaryTable(context, ending))
  if (!end.complete) throw stoppedBy(end.error, ending)
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

/** The kinds of difference with their counts: “3 missing, 2 amount”. */
function kinds({ outcomes, differences }: Tally): string {
  const found = [...outcomes].filter(([outcome]) => outcome !== 'ok' && outcome !== 'different')
  return [...found, ...differences].map(([kind, count]) => `${count} ${kind}`).join(', ')
}

function failedHint(context: Context, { operation, tally, failedFile }: BulkEnding): string {
  const again = failedFile && nextCommand(context, `bnpl ${operation.command} ${optionWords('--from', failedFile)}`)
  if (tally.refused < tally.of('failed')) {
    return again === undefined
      ? 'Each failed row says why; --failed FILE keeps them to be run again.'
      : `Run them again with: ${again}`
  }
  // Run again as they are, they would be refused again.
  const why = 'They were refused, and would be again: each says why'
  return again === undefined ? `${why}.` : `${why} in ${failedFile}. Once they are put right: ${again}`
}

function unknownRows(context: Context, { plan, operation, tally }: BulkEnding, unknown: number): BnplError {
  const again = nextCommand(
    context,
    `bnpl ${operation.command} ${optionWords('--from', plan.from)} --resume --retry-unknown`,
  )
  const lines = tally.unknownLines.join(', ') + (unknown > tally.unknownLines.length ? ', …' : '')
  return new BnplError(
    'outcome-unknown',
    `${unknown} of ${tally.rows} rows were sent and nobody knows what became of them: line${unknown === 1 ? '' : 's'} ${lines}`,
    {
      code: 'ROWS_UNKNOWN',
      hint: `Find out what became of them first. Rows that were not done can be sent again: ${again}`,
    },
  )
}

function stoppedBy(error: unknown, ending: BulkEnding): unknown {
  const { tally } = ending
  // Not all rows of an earlier run were read again, and they are done all the same.
  const done = tally.sent + tally.known
  const left = tally.rows - done
  const rest = `${groupDigits(done)} of ${groupDigits(tally.rows)} rows are done, ${groupDigits(left)} were not sent`
  if (error instanceof Interrupted) {
    return new Interrupted(error.exitCode, `Interrupted: ${rest}. Go on with the same command and --resume.`)
  }
  if (!(error instanceof BnplError) || tally.sent === 0) return error
  const before = error.hint === undefined ? 'Go' : 'Then go'
  const again = error.hint?.includes('--resume') ? [] : [`${before} on with the same command and --resume.`]
  const how = left === 0 ? 'Every row is done.' : `The run was stopped: ${rest}.`
  return new BnplError(error.kind, `${error.message}\n${how}`, {
    ...(error.code === undefined ? {} : { code: error.code }),
    hint: [error.hint, ...again].filter((each) => each !== undefined).join('\n'),
    ...(error.exchange === undefined ? {} : { exchange: error.exchange }),
    cause: error,
  })
}

function summaryData({ plan, tally, failedFile }: BulkEnding): Record<string, unknown> {
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

function summaryLine({ tally, failedFile }: BulkEnding): string {
  const counts = [...tally.outcomes].map(([outcome, count]) => `${groupDigits(count)} ${outcome}`)
  const differences = tally.differences.size === 0 ? '' : ` (${kinds(tally)})`
  const failed = failedFile === undefined ? '' : `; failed rows: ${failedFile}`
  return `${groupDigits(tally.done())} of ${groupDigits(tally.rows)} rows: ${counts.join(', ') || 'none'}${differences}${failed}`
}

function summaryTable(context: Context, { plan, tally, failedFile }: BulkEnding): Promise<string> {
  const fields: [string, string][] = [['Rows', groupDigits(tally.rows)]]
  if (tally.earlier > 0) fields.push(['Done before', groupDigits(tally.earlier)])
  for (const [outcome, count] of tally.outcomes) fields.push([capital(outcome), groupDigits(count)])
  for (const [kind, count] of tally.differences) fields.push([`  by ${kind}`, groupDigits(count)])
  fields.push(['Results', plan.out ?? 'stdout'])
  if (failedFile !== undefined) fields.push(['Failed rows', failedFile])
  return renderFields(fields, context.output)
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
