import { realpathSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { parseAmount } from '../../domain/amount.ts'
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

export type ResultForm = 'csv' | 'ndjson' | 'json'

/** The same, read. Paths are absolute. */
export interface BulkPlan {
  from: string
  out: string | undefined
  failed: string | undefined
  force: boolean
  /** Form of the results; undefined for the form of the input. */
  form: ResultForm | undefined
  concurrency: number
  perSecond: number | undefined
  resume: boolean
  retryUnknown: boolean
  restart: boolean
  csvRaw: boolean
}

/** Reads them. Throws `usage` for what makes no sense, before anything is opened. */
export function readBulkOptions(context: Context, from: string, options: BulkOptions): BulkPlan {
  const resume = options.resume === true || options.retryUnknown === true
  const restart = options.restart === true
  if (resume && restart) throw usage('--resume goes on with a run and --restart forgets it; give one of them')
  const { cwd } = context.world
  const out = options.out === undefined || options.out === '-' ? undefined : resolve(cwd, options.out)
  const form = formOf(context, out)
  const failed = options.failed === undefined ? undefined : resolve(cwd, options.failed)
  const input = from === '-' ? undefined : resolve(cwd, from)
  const junit = options.junit === undefined ? undefined : resolve(cwd, options.junit)
  // What one writes the other would write over, and the rows that are read must survive both.
  const named = { '--from': input, '--out': out, '--failed': failed, '--junit': junit }
  const taken = new Map<string, string>()
  for (const [option, path] of Object.entries(named)) {
    if (path === undefined) continue
    const file = realPath(path)
    const other = taken.get(file)
    if (other !== undefined) throw usage(`${other} and ${option} are the same file: ${path}`)
    taken.set(file, option)
  }
  return {
    from,
    out,
    failed,
    force: options.force === true,
    form,
    concurrency: readCount('--concurrency', options.concurrency ?? '8', 256),
    perSecond: options.rate === undefined ? undefined : readRate(options.rate),
    resume,
    retryUnknown: options.retryUnknown === true,
    restart,
    csvRaw: options.csvRaw === true,
  }
}

/** A file by the name it has without links, where it is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function formOf(context: Context, out: string | undefined): ResultForm | undefined {
  const { output } = context.options
  if (out === undefined) return output === 'table' ? undefined : output
  const byName = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson', '.json': 'json' } as const
  const extension = extname(out).toLowerCase()
  if (extension in byName) return byName[extension as keyof typeof byName]
  if (output === 'csv' || output === 'ndjson') return output
  throw usage(
    `the form of ${out} is not clear from its name`,
    'Let it end in .csv, .ndjson or .json, or add -o csv or -o ndjson.',
  )
}

function readCount(option: string, text: string, most: number): number {
  const result = parseAmount(text)
  if (result.ok && result.amount <= most) return result.amount
  throw usage(`${option} “${text}” is not a number from 1 to ${most}`)
}

function readRate(text: string): number {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/(s|m|min))?$/.exec(text.trim())
  const perSecond = Number(match?.[1]) / (match?.[2]?.startsWith('m') ? 60 : 1)
  if (match && perSecond > 0) return perSecond
  throw usage(`--rate “${text}” is not a rate`, 'Write it as 50/s or 300/min.')
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
