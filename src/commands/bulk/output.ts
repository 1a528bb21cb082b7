import { rm } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Operation } from '../../bulk/operation.ts'
import type { OutputFile } from '../../bulk/output-file.ts'
import type { ResultText } from '../../bulk/result-rows.ts'
import type { FailedReason, RowFile } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/run.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import type { BulkPlan } from './options.ts'

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
}

const STDOUT_BLOCK = 32 * 1024

/** Opens them. Throws `usage` when something would be written over. @param input path of the input, if it has one */
export async function openBulkOutput(
  context: Context,
  plan: BulkPlan,
  file: RowFile,
  text: ResultText,
  operation: Operation,
  input: string | undefined,
): Promise<BulkOutput> {
  const { openOutputFile } = await import('../../bulk/output-file.ts')
  const failedPath = plan.failed ?? (plan.out === undefined ? undefined : failedName(plan.out, file.form))
  if (failedPath !== undefined && failedPath === input) {
    throw usage(
      `rows that fail would be written over the input (${failedPath})`,
      'Name another file for them with --failed.',
      'OUTPUT_EXISTS',
    )
  }
  const { checkTarget } = await import('../../disk/target-file.ts')
  for (const path of [plan.out, failedPath]) if (path !== undefined) await checkTarget(path, plan.force || plan.resume)
  const results = plan.out === undefined ? stdoutSink(context) : await openOutputFile(plan.out, 0o644)
  let failed: OutputFile | undefined
  let begun = false
  return {
    async write(rows) {
      if (rows.length === 0) return
      if (!begun) await results.write(text.head())
      begun = true
      await results.write(text.rows(rows))
      if (failedPath === undefined) return
      for (const { raw, result } of rows) {
        if (result.outcome === 'ok' || result.outcome === 'unknown') continue
        if (failed === undefined) {
          // Rows of the user's own file, national ids among them: for its owner alone.
          failed = await openOutputFile(failedPath, 0o600)
          await failed.write(file.failedHead())
        }
        await failed.write(file.failedRow(raw, reasonOf(result, operation)))
      }
    },
    async finish() {
      await results.write(begun ? text.foot() : text.head() + text.foot())
      await results.finish()
      if (failed) await failed.finish()
      else if (failedPath !== undefined) await rm(failedPath, { force: true })
    },
    async abandon() {
      await results.abandon()
      await failed?.abandon()
    },
    begun: () => begun,
    failedFile: () => (failed === undefined ? undefined : failedPath),
  }
}

function stdoutSink({ io }: Context): OutputFile {
  let pending = ''
  return {
    async write(text) {
      pending += text
      if (pending.length < STDOUT_BLOCK) return
      const block = pending
      pending = ''
      await io.out(block)
    },
    finish: () => io.out(pending),
    abandon: async () => {},
  }
}

/** `results.csv` → `results.failed.csv`, in the form of the input, which is what can be run again. */
function failedName(out: string, form: RowFile['form']): string {
  return `${out.slice(0, out.length - extname(out).length)}.failed.${form}`
}

function reasonOf(result: DoneRow['result'], { explain }: Operation): FailedReason {
  const error = result.error as { kind?: unknown; code?: unknown; message?: unknown } | undefined
  if (error === undefined) return { failedKind: result.outcome, failedMessage: explain?.(result) ?? '' }
  return { failedKind: String(error.kind), failedMessage: String(error.message) }
}
