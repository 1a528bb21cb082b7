import { extname, resolve } from 'node:path'
import type { OptionValues } from '@commander-js/extra-typings'
import type { ResultForm } from '../../bulk/result-rows.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { type Command, flag, type NoOptions, type OptionsOf, repeatable } from '../command.ts'

/** Throws `usage` for a second file. Commander would take it in place of the first, whose rows would be left out without a word. */
function onlyFile(file: string, before: string | undefined): string {
  if (before === undefined) return file
  throw usage('--from names two files, and a run reads only one', 'Run the command again for the other file.')
}

/** Adds `--from`, which runs a command over a file. */
export const addFrom = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .optionsGroup('Over a file:')
    .option('--from <file>', 'run over the rows of this CSV or NDJSON file; `-` for stdin', onlyFile)
    .option(
      '--column <theirs=ours>',
      'read a column of the file as one of the columns below; `theirs=` leaves it unread (repeatable)',
      repeatable,
    )
    .option('--encoding <name>', 'encoding of the file, such as windows-1252 or utf-16le (default: utf-8)')
    .option('--accept-ids', 'accept ids that look damaged, such as 1,23E+15, #N/A or NULL')
    .option('--skip-total', 'leave out rows of totals')

export const addResults = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option('--out <file>', 'write results to this .csv, .ndjson or .json file (default: stdout)')
    .option('--force', 'overwrite existing files')

export const addRows = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option(
      '--failed <file>',
      'write the failed rows to this file, which you can run again (default: in the folder of --out)',
    )
    .option('--concurrency <n>', 'make this many calls at a time (default: 8)')
    .option('--rate <n/s>', 'make at most this many calls a second, such as 50/s')
    .option('--resume', 'continue an earlier run; rows with a final answer are not sent again')
    .option('--restart', 'ignore an earlier run and send every row')
    .option('--csv-raw', 'do not escape formulas in CSV cells')
    .option('--csv-excel', 'write CSV for Excel in Spanish: semicolons, decimal commas, a byte order mark')

/** Adds `--retry-unknown`, for calls that are not safe to repeat. */
export const addRetryUnknown = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command.option('--retry-unknown', 'also send again the rows whose outcome is unknown')

/** Adds `--junit`, for a command that compares the answer for each row with what the row expects. */
export const addRunReport = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command.option('--junit <file>', 'write a JUnit report of a run over a file')

export type BulkOptions = OptionsOf<ReturnType<typeof addFrom<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addResults<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addRows<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addRetryUnknown<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addRunReport<[], NoOptions>>>

/**
 * Throws `usage` when options of a run over a file are given without `--from`, or when `--from` is given together
 * with the value of one row.
 * @param single the options and arguments that give the values of one row
 * @param own options that the command also accepts without `--from`
 */
export function refuseMixed(
  options: BulkOptions,
  single: Readonly<Record<string, unknown>>,
  own: readonly (keyof BulkOptions)[] = [],
): void {
  const names: (keyof BulkOptions)[] = [
    'out',
    'failed',
    'concurrency',
    'rate',
    'resume',
    'retryUnknown',
    'restart',
    'csvRaw',
    'csvExcel',
    'junit',
    'column',
    'encoding',
    'acceptIds',
    'skipTotal',
  ]
  if (options.from === undefined) {
    const alone = names.find((name) => options[name] !== undefined && !own.includes(name))
    if (alone !== undefined) throw usage(`${flag(alone)} is only for a run over a file`, 'Name the file with --from.')
    return
  }
  const other = Object.keys(single).find((name) => single[name] !== undefined)
  if (other !== undefined)
    throw usage(
      `${flag(other)} and --from cannot be used together`,
      `Remove ${flag(other)}, because ${WHY_NOT[other] ?? 'its values come from the rows of the file'}.`,
    )
}

/** Why an option cannot be used with `--from`, for the options whose values do not come from the rows. */
const WHY_NOT: Readonly<Record<string, string>> = {
  wait: 'a run over a file verifies each row once and does not wait',
  fromLink: 'a run over a file gets the link of each report from the service',
}

/** The parsed options of a run over a file. Paths are absolute. */
export interface BulkPlan {
  from: string
  out: string | undefined
  failed: string | undefined
  junit: string | undefined
  force: boolean
  /** The format of the results; undefined to use the format of the input. */
  form: ResultForm | undefined
  concurrency: number
  perSecond: number | undefined
  resume: boolean
  retryUnknown: boolean
  restart: boolean
  csvRaw: boolean
  csvExcel: boolean
  encoding: string | undefined
}

/** Reads the options of a run. Throws `usage` for options that contradict each other or are not valid. */
export function readBulkOptions(context: Context, from: string, options: BulkOptions): BulkPlan {
  const resume = options.resume === true || options.retryUnknown === true
  const restart = options.restart === true
  if (resume && restart) {
    const again = options.resume === true ? '--resume' : '--retry-unknown'
    throw usage(
      `${again} and --restart cannot be used together: ${again} continues an earlier run, --restart ignores it`,
    )
  }
  const { cwd } = context.world
  const out = options.out === undefined || options.out === '-' ? undefined : resolve(cwd, options.out)
  const csvExcel = options.csvExcel === true
  const form = formOf(context, out) ?? (csvExcel ? 'csv' : undefined)
  if (csvExcel && form !== 'csv') throw notForExcel(form)
  const failed = options.failed === undefined ? undefined : resolve(cwd, options.failed)
  const junit = options.junit === undefined ? undefined : resolve(cwd, options.junit)
  return {
    from,
    out,
    failed,
    junit,
    force: options.force === true,
    form,
    concurrency: readConcurrency(options.concurrency ?? '8'),
    perSecond: options.rate === undefined ? undefined : readRate(options.rate),
    resume,
    retryUnknown: options.retryUnknown === true,
    restart,
    csvRaw: options.csvRaw === true,
    csvExcel,
    encoding: options.encoding === undefined ? undefined : readEncoding(options.encoding),
  }
}

const notForExcel = (form: ResultForm | undefined) =>
  usage(
    `--csv-excel is only for CSV results, but the results are ${form}`,
    'Remove --csv-excel, or name a .csv file with --out.',
  )

/** Returns the name of an encoding as `TextDecoder` knows it; undefined for UTF-8, which is read without this option too. */
function readEncoding(text: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(text.trim(), { fatal: true })
    return encoding === 'utf-8' ? undefined : encoding
  } catch {
    throw usage(
      `--encoding “${text}” is not a known encoding`,
      'Use a name such as utf-8, windows-1252, latin1 (iso-8859-1), utf-16le or utf-16be.',
      'INVALID_ENCODING',
    )
  }
}

function formOf(context: Context, out: string | undefined): ResultForm | undefined {
  const { output, wantsTable } = context.options
  if (out === undefined) {
    if (wantsTable)
      throw usage(
        '-o table cannot show the rows of a file, because a table needs all rows before its first line can be printed',
        'Use -o csv, -o ndjson or -o json. Or add --out FILE for the rows; then the table shows a summary.',
        'NO_TABLE',
      )
    return output === 'table' ? undefined : output
  }
  const byName = FORMS.get(extname(out).toLowerCase())
  if (byName !== undefined) return byName
  if (output === 'csv' || output === 'ndjson') return output
  throw usage(
    `the name of ${out} does not end in a known format`,
    'Use a name that ends in .csv, .ndjson or .json, or add -o csv or -o ndjson.',
  )
}

const FORMS = new Map<string, ResultForm>([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.json', 'json'],
])

const MOST_AT_ONCE = 256

function readConcurrency(text: string): number {
  const count = Number(text)
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= MOST_AT_ONCE) return count
  throw usage(`--concurrency “${text}” is not valid: it must be a whole number from 1 to ${MOST_AT_ONCE}, digits only`)
}

function readRate(text: string): number {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/(s|m|min))?$/.exec(text.trim())
  const perSecond = Number(match?.[1]) / (match?.[2]?.startsWith('m') ? 60 : 1)
  if (match && perSecond > 0) return perSecond
  throw usage(`--rate “${text}” is not a rate`, 'Write the rate as 50/s or 300/min.')
}
