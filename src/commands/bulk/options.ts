import type { OptionValues } from '@commander-js/extra-typings'
import { usage } from '../../errors.ts'
import { type Command, type NoOptions, type OptionsOf, repeatable } from '../command.ts'

/** Adds `--from`, which runs a command over a file. */
export const addFrom = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .optionsGroup('Over a file:')
    .option('--from <file>', 'run over the rows of this CSV or NDJSON file; `-` for stdin')
    .option(
      '--column <theirs=ours>',
      'read a column of the file as one of the columns below; `theirs=` leaves it unread (repeatable)',
      repeatable,
    )
    .option('--encoding <name>', 'encoding of the file, such as windows-1252 or utf-16le (default: utf-8)')
    .option('--accept-ids', 'accept ids that look damaged, such as 1,23E+15, #N/A or NULL')
    .option('--skip-total', 'leave out rows of totals')

/** Adds the options for the results of a run. */
export const addResults = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option('--out <file>', 'write results to this .csv, .ndjson or .json file (default: stdout)')
    .option('--force', 'overwrite existing files')

/** Adds the options for sending the rows of a run. */
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
  const given = (record: object) => Object.entries(record).find(([, value]) => value !== undefined)?.[0]
  if (options.from === undefined) {
    const alone = names.find((name) => options[name] !== undefined && !own.includes(name))
    if (alone !== undefined) throw usage(`${flag(alone)} is only for a run over a file`, 'Name the file with --from.')
    return
  }
  const other = given(single)
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

/** Returns an option as it is typed. @param name its name in the parsed options; a name in capitals is an argument */
export const flag = (name: string): string =>
  name === name.toUpperCase() ? name : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
