import { rm } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import type { OutputFile } from '../../bulk/output-file.ts'
import type { ResultText } from '../../bulk/result-rows.ts'
import type { FailedReason, Operation, RowFile } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { harmlessCell } from '../../terminal/csv.ts'
import { visible } from '../../text/visible.ts'
import { realFile } from '../same-file.ts'
import type { BulkPlan } from './plan.ts'

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
  const [{ checkFolder, openOutputFile }, { checkTarget, stampOf, sweepStale }] = await Promise.all([
    import('../../bulk/output-file.ts'),
    import('../../disk/target-file.ts'),
  ])
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
  const file = realFile(path)
  return Object.entries(files).find(([, other]) => other !== undefined && realFile(other) === file)?.[0]
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
