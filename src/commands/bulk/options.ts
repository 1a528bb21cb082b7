import type { Command } from 'commander'
import { usage } from '../../errors.ts'

/** The options of a command that runs over a file. */
export interface BulkOptions {
  from?: string
  out?: string
  failed?: string
  force?: boolean
  concurrency?: string
  rate?: string
  resume?: boolean
  retryUnknown?: boolean
  restart?: boolean
  csvRaw?: boolean
  /** An option of `verify` alone. */
  junit?: string
}

/**
 * Adds the options.
 * @param repeatable whether no row's outcome can stay unknown, because a call may be repeated
 * @param own options of these that the command has with words of its own
 */
export function addBulkOptions(command: Command, repeatable: boolean, own: readonly string[] = []): void {
  command.optionsGroup('Over a file:')
  const options: [flags: string, words: string][] = [
    ['--from <file>', 'rows from a CSV or NDJSON file, `-` for stdin'],
    ['--out <file>', 'results into a .csv, .ndjson or .json file (else stdout)'],
    ['--failed <file>', 'rows that failed, as a file to run again (else beside --out)'],
    ['--force', 'write over files that are there'],
    ['--concurrency <n>', 'calls at a time (default: 8)'],
    ['--rate <n/s>', 'calls a second at most, such as 50/s'],
    ['--resume', 'go on with an earlier run; nothing is sent twice'],
    ['--retry-unknown', 'send rows of unknown outcome again too'],
    ['--restart', 'forget an earlier run and send every row'],
    ['--csv-raw', 'leave formulas in CSV cells as they are'],
  ]
  for (const [flags, words] of options) {
    const name = flags.split(' ')[0] ?? ''
    if (own.includes(name) || (repeatable && name === '--retry-unknown')) continue
    command.option(flags, words)
  }
}

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
