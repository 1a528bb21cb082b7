import type { OptionValues } from '@commander-js/extra-typings'
import { usage } from '../../errors.ts'
import type { Command, NoOptions, OptionsOf } from '../command.ts'

/** Adds `--from`, which makes a command run over a file; the options of such a run follow it under their own heading. */
export const addFrom = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command.optionsGroup('Over a file:').option('--from <file>', 'rows from a CSV or NDJSON file, `-` for stdin')

/** Adds where the results of a run go. */
export const addResults = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option('--out <file>', 'results into a .csv, .ndjson or .json file (else stdout)')
    .option('--force', 'write over files that are there')

/** Adds how the rows of a run are sent. */
export const addRows = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option('--failed <file>', 'rows that failed, as a file to run again (else beside --out)')
    .option('--concurrency <n>', 'calls at a time (default: 8)')
    .option('--rate <n/s>', 'calls a second at most, such as 50/s')
    .option('--resume', 'go on with an earlier run; nothing is sent twice')
    .option('--restart', 'forget an earlier run and send every row')
    .option('--csv-raw', 'leave formulas in CSV cells as they are')

/** Adds what a run needs whose calls may not be repeated: the outcome of a row can stay unknown. */
export const addRetryUnknown = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command.option('--retry-unknown', 'send rows of unknown outcome again too')

/** Adds the report of a run that checks what it reads. */
export const addRunReport = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command.option('--junit <file>', 'a JUnit report of a run over a file')

/** The options of a run over a file; each command has some of them. */
export type BulkOptions = OptionsOf<ReturnType<typeof addFrom<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addResults<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addRows<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addRetryUnknown<[], NoOptions>>> &
  OptionsOf<ReturnType<typeof addRunReport<[], NoOptions>>>

/** Throws `usage` when options of a file run (but `own`) are given without a file, or a file together with a single thing. */
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
    'junit',
  ]
  const given = (record: object) => Object.entries(record).find(([, value]) => value !== undefined)?.[0]
  if (options.from === undefined) {
    const alone = names.find((name) => options[name] !== undefined && !own.includes(name))
    if (alone !== undefined) throw usage(`${flag(alone)} belongs to a run over a file`, 'Name the file with --from.')
    return
  }
  const other = given(single)
  if (other !== undefined) throw usage(`${flag(other)} and --from exclude each other`, 'The file says it for each row.')
}

const flag = (name: string) =>
  name === name.toUpperCase() ? name : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
