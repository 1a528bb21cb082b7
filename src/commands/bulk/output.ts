import { rm } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { Operation } from '../../bulk/operation.ts'
import type { OutputFile } from '../../bulk/output-file.ts'
import type { ResultText } from '../../bulk/result-rows.ts'
import type { FailedReason, RowFile } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/run.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { visible } from '../../text/visible.ts'
import type { BulkPlan } from './plan.ts'
import { resultCell } from './result-cell.ts'

/** Where the rows of a run go: the results, and beside them the rows that failed. */
export interface BulkOutput {
  write(rows: readonly DoneRow[]): Promise<void>
  /** Ends the files. What an earlier run left as failed rows goes when there are none any more. */
  finish(): Promise<void>
  /** Leaves no files. */
  abandon(): Promise<void>
  /** Whether there was a row. */
  begun(): boolean
  /** The file with the failed rows, once there is one. */
  failedFile(): string | undefined
  /** Aborted, with the error, when stdout turns out to take nothing more while no row is being written. */
  broken: AbortSignal
}

/** Where results go, and whether it has stopped taking them. */
interface Sink extends OutputFile {
  broken?: AbortSignal
}

const STDOUT_BLOCK = 32 * 1024
/** How long a row may wait for others to be written with, in ms: whoever looks on, or takes the first line alone, has it by then. */
const STDOUT_WAIT_MS = 100

/**
 * Opens them. Throws `usage` when something would be written over, `config` when another run writes there.
 * @param input path of the input, if it has one
 * @param claim takes files for this run alone
 */
export async function openBulkOutput(
  context: Context,
  plan: BulkPlan,
  file: RowFile,
  text: ResultText,
  operation: Operation,
  input: string | undefined,
  claim: (paths: readonly string[]) => void,
): Promise<BulkOutput> {
  const [{ checkFolder, openOutputFile }, { checkTarget, identityOf, sweepStale }] = await Promise.all([
    import('../../bulk/output-file.ts'),
    import('../../disk/target-file.ts'),
  ])
  const { pid, isAlive } = context.world
  const failedPath = plan.failed ?? (plan.out === undefined ? undefined : failedName(plan.out, file.form))
  if (failedPath !== undefined && failedPath === input) {
    throw usage(
      `rows that fail would be written over the input (${failedPath})`,
      'Name another file for them with --failed.',
      'OUTPUT_EXISTS',
    )
  }
  claim([plan.out, failedPath].filter((path) => path !== undefined))
  const open = async (path: string, option: string, mode: number) => {
    // What is there now may be replaced, by --force or as what the run before wrote. What appears later may not.
    const seen = await identityOf(path)
    await checkTarget(path, plan.force || plan.resume)
    await sweepStale(dirname(path), isAlive)
    return { seen, begin: () => openOutputFile(path, option, { force: plan.force, replaces: seen, mode, pid }) }
  }
  const first = plan.out === undefined ? undefined : await open(plan.out, '--out', 0o644)
  // Rows of the user's own file, national ids among them: for its owner alone.
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
    async write(rows) {
      if (rows.length === 0) return
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
        // Rows that failed before, and no more.
        else if (failedPath !== undefined && second?.seen && second.seen === (await identityOf(failedPath)))
          await rm(failedPath, { force: true })
      } catch (error) {
        await abandon()
        throw error
      }
    },
    abandon,
    begun: () => begun,
    failedFile: () => (failed === undefined ? undefined : failedPath),
    broken,
  }
}

/** Writes in blocks; what does not fill one goes out a moment later. */
function stdoutSink({ io }: Context): Sink {
  const broken = new AbortController()
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  let late = Promise.resolve()
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const block = pending
    pending = ''
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
      else timer ??= setTimeout(flushLate, STDOUT_WAIT_MS)
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

/** `results.csv` → `results.failed.csv`, in the form of the input, which is what can be run again. */
function failedName(out: string, form: RowFile['form']): string {
  return `${out.slice(0, out.length - extname(out).length)}.failed.${form}`
}

/** What the service said of a row is made harmless as in the results; the row itself stays as it was in the file. */
const messageFor =
  (form: RowFile['form']) =>
  (message: string): string =>
    form === 'csv' ? String(resultCell(message)) : visible(message, true)

function reasonOf(result: DoneRow['result'], { explain }: Operation, say: (message: string) => string): FailedReason {
  const error = result.error as { kind?: unknown; message?: unknown } | undefined
  if (error === undefined) return { failedKind: result.outcome, failedMessage: say(explain?.(result) ?? '') }
  return { failedKind: String(error.kind), failedMessage: say(String(error.message)) }
}
