import type { Operation, RowFile } from '../../bulk/row.ts'
import { type RunEnd, sendRows } from '../../bulk/send-rows.ts'
import type { Context } from '../../context.ts'
import { formatDuration } from '../../domain/clock.ts'
import { DryRun, Interrupted } from '../../errors.ts'
import type { Numbers } from '../../terminal/numbers.ts'
import { startProgress } from '../../terminal/progress.ts'
import { toJson } from '../../text/visible.ts'
import { finish } from './finish.ts'
import type { BulkOptions } from './options.ts'
import { type Calls, type FileCommand, type OpenRun, openRun, prepare } from './prepare.ts'
import type { Tally } from './results.ts'

/**
 * Runs a command over a file: checks every row, sends the rows, and throws the error that decides the exit code.
 * @param make creates the command from an object that contains the client and the signal for the calls
 */
export async function runFile(
  context: Context,
  from: string,
  options: BulkOptions,
  make: (calls: Calls) => FileCommand,
): Promise<void> {
  const prepared = await prepare(context, from, options, make)
  const { claims } = prepared
  if (claims === undefined) return printRequests(context, prepared.file, prepared.command.operation)
  const run = await openRun(context, prepared, claims)
  await finish(context, run, await send(context, run))
}

async function send(context: Context, run: OpenRun): Promise<RunEnd> {
  const { plan, command, calls, pace, drain, file, job, tally, results, sum } = run
  const { operation } = command
  const progress = createProgress(context, tally, pace)
  results.beforePipe(progress.giveWay)
  const stopDraining = drainOnStop(context, drain)
  await context.world.compileForRows(tally.rows)
  const end = await sendRows({
    file,
    rows: tally.rows,
    operation,
    ledger: job.ledger,
    resumed: job.resumed,
    retryUnknown: plan.retryUnknown,
    async begin() {
      await command.before?.(tally.rows)
      await calls.api()
      await progress.start()
    },
    concurrency: plan.concurrency,
    stop: AbortSignal.any([context.signal, results.broken]),
    drain: drain.signal,
    async write(rows) {
      tally.name(rows)
      await command.onRows?.(rows)
      await results.write(rows)
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

const DRAIN_MS = 10_000

/** After a signal such as Ctrl-C, gives the calls in progress some time to finish, then aborts them with `drain`. */
function drainOnStop({ signal, clock, output }: Context, drain: AbortController): () => void {
  const over = new AbortController()
  const begin = () => {
    output.note('Stopping: waiting at most 10 s for the calls in progress. Press Ctrl-C again to stop at once.')
    const exitCode = signal.reason instanceof Interrupted ? signal.reason.exitCode : undefined
    clock.sleep(DRAIN_MS, over.signal).then(
      () => drain.abort(new Interrupted(exitCode)),
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

/** Prints the request of every row as a curl command, in the order of the file. With `--json`, prints one array. */
async function printRequests(context: Context, file: RowFile, operation: Operation): Promise<void> {
  let isFirst = true
  for await (const batch of file.batches) {
    const lines: string[] = []
    for (const row of batch) {
      const values = file.values(row)
      if (typeof values === 'string') continue
      const call = operation.read(values)
      if ('problems' in call) continue
      try {
        await call.send()
      } catch (error) {
        if (!(error instanceof DryRun)) throw error
        lines.push(...error.lines)
      }
    }
    if (lines.length === 0) continue
    if (context.options.output !== 'json') await context.output.requests(lines)
    else {
      await context.io.out(
        `${isFirst ? '[' : ','}\n${lines.map((curl) => toJson({ curl: context.world.secrets.hide(curl) })).join(',\n')}`,
      )
      isFirst = false
    }
  }
  if (context.options.output === 'json') await context.io.out(isFirst ? '[]\n' : '\n]\n')
}

const EVERY_MS = 100

interface RunProgress {
  /** Shows the progress line. Must be called after the last question to the user, which this line would overwrite. */
  start(): Promise<void>
  update(): void
  /** Removes the line for a moment, in which the program that reads stdout may print rows on the same terminal. */
  giveWay(): void
  stop(): void
}

/** Creates the progress line of a run over a file. Nothing is shown before `start`, with `--quiet`, or if stderr is not a terminal. */
function createProgress(
  { io, options, clock, numbers }: Context,
  tally: Tally,
  pace: { pausedFor(): number },
): RunProgress {
  let line: Awaited<ReturnType<typeof startProgress>> | undefined
  let started = 0
  let shown = 0
  let timer: NodeJS.Timeout | undefined
  const draw = () => {
    timer = undefined
    shown = clock.monotonic()
    line?.update(progressText(tally, shown - started, pace.pausedFor(), numbers))
  }
  return {
    async start() {
      const rows = numbers.count(tally.rows)
      line = await startProgress(io, options.quiet, io.accessible ? `Running over ${rows} rows …` : `0/${rows}`)
      started = clock.monotonic()
      shown = started
    },
    update() {
      if (timer !== undefined || line === undefined) return
      if (clock.monotonic() - shown >= EVERY_MS) draw()
      // The line was drawn a moment ago. Without this timer, it would show an old count until another row ends.
      else timer = setTimeout(draw, EVERY_MS).unref()
    },
    giveWay: () => line?.giveWay(),
    stop() {
      clearTimeout(timer)
      line?.stop()
    },
  }
}

function progressText(tally: Tally, elapsedMs: number, pausedMs: number, numbers: Numbers): string {
  const done = tally.done()
  const perSecond = tally.sent / (elapsedMs / 1000)
  const parts = [`${numbers.count(done)}/${numbers.count(tally.rows)}`]
  if (Number.isFinite(perSecond) && perSecond > 0) {
    parts.push(`${perSecond < 10 ? numbers.plain(perSecond, 1) : numbers.count(Math.round(perSecond))}/s`)
    parts.push(`${formatDuration(((tally.rows - done) / perSecond) * 1000)} left`)
  }
  if (pausedMs > 0) parts.push(`paused for ${formatDuration(pausedMs)} (429)`)
  for (const [outcome, count] of tally.outcomes) if (outcome !== 'ok') parts.push(`${numbers.count(count)} ${outcome}`)
  return parts.join(' · ')
}
