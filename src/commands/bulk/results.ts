import { rm } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { checkFolder, type OutputFile, openOutputFile } from '../../bulk/output-file.ts'
import type { ResultText } from '../../bulk/result-rows.ts'
import type { FailedReason, Operation, RowFile, RowResult } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { fileKey } from '../../disk/kept-files.ts'
import { checkTarget, stampOf, sweepStale } from '../../disk/target-file.ts'
import { usage } from '../../errors.ts'
import { harmlessCell } from '../../terminal/csv.ts'
import { visible } from '../../text/visible.ts'
import { EXPECTATIONS } from '../expectations.ts'
import type { BulkPlan } from './options.ts'

export interface RunResults {
  write(rows: readonly DoneRow[]): Promise<void>
  /** Sets the function that is called before rows are written into a pipe while the user watches stderr at a terminal. */
  beforePipe(call: () => void): void
  /** Moves the files to their final names. If no row failed, removes the file of failed rows that an earlier run wrote. */
  finish(): Promise<void>
  abandon(): Promise<void>
  begun(): boolean
  /** The file with the failed rows; undefined until it exists. */
  failedFile(): string | undefined
  /** Aborted, with the error, when stdout fails while no row is being written. */
  broken: AbortSignal
}

interface ResultsOptions {
  plan: BulkPlan
  file: RowFile
  text: ResultText
  operation: Operation
  input: string | undefined
  claim: (paths: readonly string[]) => void
}

interface Sink extends OutputFile {
  broken?: AbortSignal
  beforePipe?(call: () => void): void
}

const STDOUT_BLOCK = 32 * 1024
/** In ms. After this time, the collected results are written to stdout even if they do not fill a block. */
const STDOUT_WAIT_MS = 100
/** Replaces `STDOUT_WAIT_MS` for a pipe while a terminal shows the progress, because each write removes the progress for a moment. */
const WATCHED_WAIT_MS = 500

/**
 * Opens the files for the results. Throws `usage` when a file exists and must not be replaced, and `config` when
 * another run writes to one of the files.
 */
export async function openRunResults(context: Context, options: ResultsOptions): Promise<RunResults> {
  const { plan, file, text, operation, input, claim } = options
  const { pid, isAlive } = context.world
  const failedPath = plan.failed ?? (plan.out === undefined ? undefined : failedName(plan.out, file.form))
  const taken = otherFileAt(failedPath, {
    'the input': input,
    'the file of --junit': plan.junit,
    ...recordingOf(context),
  })
  if (taken !== undefined)
    throw usage(
      `the failed rows would overwrite ${taken} (${failedPath})`,
      'Name another file for the failed rows with --failed.',
      'OUTPUT_EXISTS',
    )
  claim([plan.out, failedPath].filter((path) => path !== undefined))
  const open = async (path: string, option: string, mode?: number) => {
    // `--force`, or a resumed run, may replace a file that exists before the run, but not a file that another
    // program creates during the run.
    const seen = await stampOf(path)
    await checkTarget(path, plan.force || plan.resume, option)
    await sweepStale(dirname(path), isAlive)
    return { seen, begin: () => openOutputFile(path, option, { force: plan.force, replaces: seen, mode, pid }) }
  }
  const first = plan.out === undefined ? undefined : await open(plan.out, '--out')
  // The failed rows contain national ids, so only the user may read them.
  const second = failedPath === undefined ? undefined : await open(failedPath, '--failed', 0o600)
  if (plan.failed !== undefined) await checkFolder(plan.failed, '--failed')
  const say = plan.csvRaw ? String : messageFor(file.form)
  const results: Sink = first === undefined ? stdoutSink(context) : first.begin()
  const broken = results.broken ?? new AbortController().signal
  let failed: OutputFile | undefined
  let begun = false
  const abandon = async () => {
    await results.abandon()
    await failed?.abandon()
  }
  return {
    async write(given) {
      if (given.length === 0) return
      const rows = given.map((row) => context.world.secrets.hideIn(row))
      if (!begun) await results.write(text.head())
      begun = true
      await results.write(text.rows(rows))
      if (second === undefined) return
      for (const { raw, result } of rows) {
        if (result.outcome === 'ok' || result.outcome === 'unknown') continue
        if (failed === undefined) {
          failed = second.begin()
          await failed.write(file.failedHead())
        }
        await failed.write(file.failedRow(raw, reasonOf(result, operation, say)))
      }
    },
    async finish() {
      try {
        if (!broken.aborted) await results.write(begun ? text.foot() : text.head() + text.foot())
        await results.finish()
        if (failed) await failed.finish()
        // The file of failed rows is from an earlier run. Remove the file, unless it was changed during this run.
        else if (failedPath !== undefined && second?.seen && second.seen === (await stampOf(failedPath)))
          await rm(failedPath, { force: true })
      } catch (error) {
        await abandon()
        throw error
      }
    },
    beforePipe: (call) => results.beforePipe?.(call),
    abandon,
    begun: () => begun,
    failedFile: () => (failed === undefined ? undefined : failedPath),
    broken,
  }
}

function stdoutSink({ io }: Context): Sink {
  const broken = new AbortController()
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  let late = Promise.resolve()
  const isWatched = io.stdoutIsPipe && io.stderrIsTty
  let giveWay = () => {}
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const block = pending
    pending = ''
    if (isWatched) giveWay()
    return io.out(block)
  }
  const flushLate = () => {
    late = flush().catch((error: unknown) => broken.abort(error))
  }
  return {
    broken: broken.signal,
    async write(text) {
      broken.signal.throwIfAborted()
      pending += text
      if (pending.length >= STDOUT_BLOCK) await flush()
      else timer ??= setTimeout(flushLate, isWatched ? WATCHED_WAIT_MS : STDOUT_WAIT_MS)
    },
    beforePipe(call) {
      giveWay = call
    },
    async finish() {
      await late
      if (!broken.signal.aborted) await flush()
    },
    async abandon() {
      clearTimeout(timer)
    },
  }
}

const recordingOf = ({ options: { record }, world }: Context) =>
  record === undefined ? {} : { 'the file of --record': resolve(world.cwd, record) }

/** Returns which of the files is at a path, directly or through links. */
function otherFileAt(path: string | undefined, files: Record<string, string | undefined>): string | undefined {
  if (path === undefined) return undefined
  const file = fileKey(path)
  return Object.entries(files).find(([, other]) => other !== undefined && fileKey(other) === file)?.[0]
}

function failedName(out: string, form: RowFile['form']): string {
  return `${out.slice(0, out.length - extname(out).length)}.failed.${form}`
}

const messageFor =
  (form: RowFile['form']) =>
  (message: string): string =>
    form === 'csv' ? String(harmlessCell(message)) : visible(message, true)

function reasonOf(result: DoneRow['result'], { explain }: Operation, say: (message: string) => string): FailedReason {
  const { error } = result
  if (error === undefined) return { failedKind: result.outcome, failedMessage: say(explain?.(result) ?? '') }
  return { failedKind: String(error.kind), failedMessage: say(String(error.message)) }
}

const NAMED = 10

export interface Tally {
  rows: number
  /** The number of rows that this run finished. Rows that an earlier run completed do not count. */
  sent: number
  /** How many of the `known` rows this run has read so far. */
  earlier: number
  /** The number of rows that an earlier run completed. */
  known: number
  outcomes: Map<string, number>
  /** The number of failed rows that the service would refuse again. */
  refused: number
  differences: Map<string, number>
  unknownLines: number[]
  count(result: RowResult, sent: boolean): void
  name(rows: readonly DoneRow[]): void
  of(outcome: string): number
  done(): number
}

/**
 * Returns the counts of a run before its first row.
 * @param known the number of rows that an earlier run completed
 * @param isFinal returns whether a failed row would fail again if it is not changed
 */
export function createTally(rows: number, known: number, isFinal: (result: RowResult) => boolean): Tally {
  const outcomes = new Map<string, number>()
  const differences = new Map<string, number>()
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  return {
    rows,
    sent: 0,
    earlier: 0,
    known,
    outcomes,
    refused: 0,
    differences,
    unknownLines: [],
    count(result, sent) {
      if (sent) this.sent++
      else this.earlier++
      add(outcomes, result.outcome)
      if (result.outcome === 'failed' && isFinal(result)) this.refused++
      if (Array.isArray(result.differences)) for (const kind of result.differences) add(differences, String(kind))
    },
    name(done) {
      for (const { raw, result } of done) {
        if (result.outcome === 'unknown' && this.unknownLines.length < NAMED) this.unknownLines.push(raw.line)
      }
    },
    of: (outcome) => outcomes.get(outcome) ?? 0,
    done() {
      return this.sent + this.earlier
    },
  }
}

/** The names of the fields that a run itself gives to a result. */
const OWN = new Set<string>([
  'line',
  'outcome',
  'error',
  'differences',
  ...EXPECTATIONS.map(({ as }) => as),
  'answeredExternalTrxId',
])

/**
 * Returns the fields that a service's answer adds to a row's result. The service may send fields of any name, and none of them may change
 * what the run itself says about the row. So a field with the name of one of the run's own fields becomes `answer.<name>`. If both fields
 * have the same value, the answer's field is left out.
 * @param own the run's own fields of this result
 */
export function answerFields(answer: object, own: object): Record<string, unknown> {
  // In most answers no name is taken. Copying the whole answer is then several times faster than adding its fields one by one.
  if (!Object.keys(answer).some((name) => OWN.has(name) || Object.hasOwn(own, name))) return { ...answer }
  const fields = Object.entries(answer).flatMap(([name, value]): [string, unknown][] => {
    const mine = Object.getOwnPropertyDescriptor(own, name)
    if (mine !== undefined) return mine.value === value ? [] : [[`answer.${name}`, value]]
    return [[OWN.has(name) ? `answer.${name}` : name, value]]
  })
  return Object.fromEntries(fields)
}
