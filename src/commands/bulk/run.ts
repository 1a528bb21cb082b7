import type { RunEnd } from '../../bulk/run.ts'
import type { Context } from '../../context.ts'
import { Interrupted } from '../../errors.ts'
import type { Calls } from './calls.ts'
import { endOf } from './end.ts'
import { type Opened, openRun } from './open-run.ts'
import type { BulkOptions } from './options.ts'
import type { BulkOutput } from './output.ts'
import { type BulkCommand, type Prepared, prepare } from './prepare.ts'
import { showProgress } from './progress.ts'

/** How long calls in flight may take after Ctrl-C, in ms. */
const DRAIN_MS = 10_000

/**
 * Runs an operation over a file: checks every row, then sends them, keeping a ledger, and ends with the exit code of the worst that
 * happened.
 * @param make the operation, given what it makes its calls with
 */
export async function runBulk(
  context: Context,
  from: string,
  options: BulkOptions,
  make: (calls: Calls) => BulkCommand,
): Promise<void> {
  const prepared = await prepare(context, from, options, make)
  const { claims } = prepared
  if (claims === undefined) {
    const { printRequests } = await import('./dry-run.ts')
    return printRequests(context, prepared.file, prepared.command.operation)
  }
  const opened = await openRun(context, prepared, claims)
  await finish(context, prepared, opened, await send(context, prepared, opened))
}

/** Sends the rows. Never throws. */
async function send(context: Context, prepared: Prepared, { job, tally, output, sum }: Opened): Promise<RunEnd> {
  const { plan, command, pace, drain, file } = prepared
  const { operation } = command
  const { run } = await import('../../bulk/run.ts')
  const progress = await showProgress(context, tally, pace)
  const stopDraining = drainOnStop(context, drain)
  const end = await run({
    file,
    rows: tally.rows,
    operation,
    ledger: job.ledger,
    resumed: job.resumed,
    retryUnknown: plan.retryUnknown,
    concurrency: plan.concurrency,
    stop: AbortSignal.any([context.signal, output.broken]),
    drain: drain.signal,
    async write(rows) {
      tally.name(rows)
      await command.onRows?.(rows)
      await output.write(rows)
    },
    onRow(result, sent, values) {
      tally.count(result, sent)
      if (!operation.repeatable && result.outcome !== 'failed') sum.add(values)
      progress.update()
    },
  })
  stopDraining()
  progress.stop()
  return end
}

/** Puts the results in their place, then closes the ledger: as ended only when nothing is left to do. Throws how the run ended. */
async function finish(context: Context, prepared: Prepared, opened: Opened, ran: RunEnd): Promise<void> {
  const { plan, command, input } = prepared
  const { job, tally, output, sum } = opened
  if (ran.complete && !(await input.isUnchanged().catch(() => true)))
    context.output.warn(
      `${input.name} was changed while it was run; the results are of the rows it had when the run began`,
    )
  let end = await deliver(output, ran)
  if (end.complete) {
    try {
      await command.onEnd?.(tally)
      job.end(new Date(context.clock.now()).toISOString(), sum.value())
    } catch (error) {
      end = { complete: false, error }
      job.pause()
    }
  } else if (tally.sent === 0) job.discard()
  else job.pause()
  await endOf(context, { plan, operation: command.operation, tally, end, failedFile: output.failedFile() })
}

/** @returns how the run ended: results that cannot be put in their place are its end, whatever was before */
async function deliver(output: BulkOutput, ran: RunEnd): Promise<RunEnd> {
  try {
    if (ran.complete || output.begun()) await output.finish()
    else await output.abandon()
  } catch (error) {
    return { complete: false, error }
  }
  return ran.complete && output.broken.aborted ? { complete: false, error: output.broken.reason } : ran
}

/** After a signal: no new row is begun, and calls in flight have a time to end in. @returns ends the watch */
function drainOnStop({ signal, clock, output }: Context, drain: AbortController): () => void {
  const over = new AbortController()
  const begin = () => {
    output.note('Stopping: calls in flight are awaited for 10 s at most; Ctrl-C again ends at once.')
    clock.sleep(DRAIN_MS, over.signal).then(
      () => drain.abort(new Interrupted((signal.reason as Interrupted).exitCode)),
      () => {},
    )
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return () => {
    signal.removeEventListener('abort', begin)
    over.abort()
  }
}
