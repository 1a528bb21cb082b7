import type { CheckedFile } from '../../bulk/check.ts'
import type { Claims } from '../../bulk/claims.ts'
import type { CheckedInput } from '../../bulk/input.ts'
import type { Operation, RowFile } from '../../bulk/row.ts'
import type { DoneRow, Pace } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { firstOf } from '../../text/visible.ts'
import { prepareLongRun } from '../long-run.ts'
import { reportPlace } from '../report-file.ts'
import { type Calls, sharedApi } from './calls.ts'
import type { BulkOptions } from './options.ts'
import { type BulkPlan, readBulkOptions } from './plan.ts'
import type { Tally } from './tally.ts'

export interface FileCommand {
  operation: Operation
  onRows?(rows: readonly DoneRow[]): Promise<void>
  /** Runs after the result files were renamed from their temporary names, and before the exit code is decided. */
  onEnd?(tally: Tally): Promise<void>
}

export interface PreparedRun {
  /** The options as they were given, also those of the command itself. */
  options: BulkOptions
  plan: BulkPlan
  command: FileCommand
  calls: Calls
  pace: Pace
  drain: AbortController
  /** Prevents other runs from using the same files; undefined for a dry run. */
  claims: Claims | undefined
  input: CheckedInput
  checked: CheckedFile
  file: RowFile
}

/** Reads the options and checks every row of the file. Sends nothing. */
export async function prepare(
  context: Context,
  from: string,
  options: BulkOptions,
  make: (calls: Calls) => FileCommand,
): Promise<PreparedRun> {
  const plan = readBulkOptions(context, from, options)
  const { clock, world, signal } = context
  prepareLongRun(world)
  await reportPlace(world.cwd, options.junit)
  const [{ openInput }, { checkRows }, { asChecked }, { openRows }, { createPace }, { keptFolder }] = await Promise.all(
    [
      import('../../bulk/input.ts'),
      import('../../bulk/check.ts'),
      import('../../bulk/input.ts'),
      import('../../bulk/row-file.ts'),
      import('../../bulk/send-rows.ts'),
      import('../../disk/kept-files.ts'),
    ],
  )
  const unbound = await world.boundMemory()
  context.onClose(async () => unbound())
  const drain = new AbortController()
  const pace = createPace(clock, signal, plan.perSecond)
  let rows = 0
  const what = () => (command.operation.repeatable ? undefined : `send ${rows} ${command.operation.things}`)
  const calls: Calls = {
    api: sharedApi(context, pace, drain.signal, what),
    signal: drain.signal,
    resume: plan.resume,
  }
  const made = make(calls)
  const operation = await asChosen(made.operation, options, plan)
  const command = { ...made, operation }
  const dir = keptFolder(world.stateDir, 'bulk')
  const { encoding } = plan
  const opened = await openInput(from, { cwd: world.cwd, spoolDir: dir, stdin: context.io.stdin, signal, encoding })
  context.onClose(opened.close)
  const claims = context.options.dryRun ? undefined : await openOurClaims(context)
  if (claims) {
    const { claimFiles } = await import('../../bulk/claims.ts')
    claimFiles(claims, [plan.out, plan.failed, plan.junit])
  }
  const checked = await checkRows(opened, operation, signal)
  const input = asChecked(opened, checked.blocks)
  const file = await openRows(input, operation)
  await noteColumns(context, operation, checked)
  if (checked.otherColumns === undefined && (plan.form ?? file.form) === 'csv') throw tooManyColumns(opened.name)
  if (checked.leftOut.length > 0 && !context.options.dryRun) context.output.note(leftOutNote(checked.leftOut))
  rows = checked.rows
  return { options, plan, command, calls, pace, drain, claims, input, checked, file }
}

/** Returns the operation with what the options say about the rows. */
async function asChosen(operation: Operation, options: BulkOptions, { encoding }: BulkPlan): Promise<Operation> {
  const { column = [], acceptIds = false, skipTotal = false } = options
  const { chosenColumns } = await import('../../bulk/columns.ts')
  // Another column or encoding changes what is sent for a row.
  const settings = [
    operation.settings,
    ...column.map((each) => `column ${each}`),
    ...(encoding === undefined ? [] : [encoding]),
  ]
  return {
    ...operation,
    columns: column.length === 0 ? operation.columns : chosenColumns(operation.columns, column),
    acceptIds,
    skipTotal,
    settings: settings.join(', '),
  }
}

/** Says once, before the first call, how the columns of the file are used. Throws `usage` if a column of `--column` is not in the file. */
async function noteColumns(
  { output }: Context,
  { columns }: Operation,
  { use, filled, rows, skipped, notes }: CheckedFile,
): Promise<void> {
  const { columnsInWords } = await import('../../bulk/columns.ts')
  const absent = columns.find(({ only }, i) => only !== undefined && use.used[i]?.length === 0)
  if (absent !== undefined)
    throw usage(
      `the file has no column ${absent.only?.join(', ')}, which --column names`,
      `Its other columns are: ${use.unused.slice(0, 20).join(', ') || 'none'}. Nothing was sent.`,
      'MISSING_COLUMN',
    )
  output.note(columnsInWords(columns, use, filled, rows))
  if (skipped.length > 0)
    output.note(
      `Left out as ${skipped.length === 1 ? 'a row of totals: line' : 'rows of totals: lines'} ${firstOf(skipped.map(String), 10)}.`,
    )
  for (const note of notes) output.note(note)
}

const NAMED_COLUMNS = 5

function leftOutNote(names: readonly string[]): string {
  const more = names.length > NAMED_COLUMNS ? ` and ${names.length - NAMED_COLUMNS} more` : ''
  const columns = `column${names.length === 1 ? '' : 's'} ${names.slice(0, NAMED_COLUMNS).join(', ')}${more}`
  return `The results leave out the ${columns}, because results never contain national ids.`
}

const tooManyColumns = (name: string) =>
  usage(
    `${name} has too many different fields for CSV results, in which every field is a column`,
    'Write the results as NDJSON, with -o ndjson or with --out and a name that ends in .ndjson. Nothing was sent.',
    'TOO_MANY_COLUMNS',
  )

async function openOurClaims(context: Context): Promise<Claims> {
  const [{ openClaims }, { keptFolder }] = await Promise.all([
    import('../../bulk/claims.ts'),
    import('../../disk/kept-files.ts'),
  ])
  const { stateDir, pid, isAlive } = context.world
  const dir = keptFolder(stateDir, 'claims')
  const claims = await openClaims({ dir, pid, isAlive, notice: context.output.warn })
  context.onClose(async () => claims.release())
  return claims
}
