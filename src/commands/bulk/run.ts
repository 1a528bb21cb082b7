import { join } from 'node:path'
import type { Operation } from '../../bulk/operation.ts'
import type { ResultTextOptions } from '../../bulk/result-rows.ts'
import type { DoneRow, RunEnd } from '../../bulk/run.ts'
import type { Client } from '../../client/client.ts'
import type { Pacing } from '../../client/retry.ts'
import type { Context } from '../../context.ts'
import { Interrupted } from '../../errors.ts'
import { visible } from '../../terminal/text.ts'
import { historyKey } from '../history-notes.ts'
import { endOf } from './end.ts'
import type { BulkOptions } from './options.ts'
import { openBulkOutput } from './output.ts'
import { readBulkOptions } from './plan.ts'
import { showProgress } from './progress.ts'
import { createTally, type Tally } from './tally.ts'

/** Attempts of a row that is answered with 429: nothing was done, and all rows wait together. */
const LIMITED_ATTEMPTS = 20

/** How long what is in flight may take after Ctrl-C, in ms. */
const DRAIN_MS = 10_000

/** What an operation makes its calls with. */
export interface Calls {
  /** The client that all rows share. */
  api(): Promise<Client>
  /** Aborted when what is in flight must end. */
  signal: AbortSignal
  /** Whether an earlier run may be gone on with, so that what it made may be there. */
  resume: boolean
}

export interface BulkCommand {
  operation: Operation
  /** Sees every row that is over, in input order. */
  onRows?(rows: readonly DoneRow[]): Promise<void>
  /** Runs when the rows are through, before the exit code is decided. */
  onEnd?(tally: Tally): Promise<void>
}

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
  const plan = readBulkOptions(context, from, options)
  const { clock, world, signal } = context
  const [{ openInput }, { checkFile }] = await Promise.all([
    import('../../bulk/input.ts'),
    import('../../bulk/check.ts'),
  ])
  const settings = await context.settings()
  const unbound = await world.boundMemory()
  context.onClose(async () => unbound())
  const drain = new AbortController()
  const { createPace } = await import('../../bulk/pace.ts')
  const pace = createPace(clock, signal, plan.perSecond)
  let client: Promise<Client> | undefined
  let what = ''
  const command = make({
    api() {
      client ??= connect(context, pace, drain.signal, what)
      return client
    },
    signal: drain.signal,
    resume: plan.resume,
  })
  const { operation } = command
  const dir = join(world.stateDir, 'bulk')
  const input = await openInput(from, { cwd: world.cwd, spoolDir: dir, stdin: context.io.stdin, signal })
  context.onClose(input.close)
  const version = await input.version()
  const checked = await checkFile(input, operation, signal)
  const { openRows } = await import('../../bulk/row-file.ts')
  const file = await openRows(input, operation.columns)
  if (context.options.dryRun) {
    const { printRequests } = await import('./dry-run.ts')
    return printRequests(context, file, operation)
  }
  what = `send ${checked.rows} ${operation.things}`

  const { openJob } = await import('../../bulk/job.ts')
  const job = await openJob({
    dir,
    facts: {
      command: operation.command,
      profile: `${historyKey(settings)} ${settings.baseUrl?.value ?? ''}`,
      source: input.path ?? 'stdin',
      digest: checked.digest,
      settings: operation.settings,
      rows: checked.rows,
      startedAt: new Date(clock.now()).toISOString(),
      pid: world.pid,
    },
    repeatable: operation.repeatable,
    resume: plan.resume,
    restart: plan.restart,
    notice: context.output.warn,
  })
  const { isFinal } = await import('../../bulk/outcome.ts')
  const tally = createTally(checked.rows, isFinal)
  let settled = false
  try {
    const { createResultText } = await import('../../bulk/result-rows.ts')
    const { cell } = await import('../../terminal/csv.ts')
    const { harmlessJson } = await import('../../terminal/json.ts')
    const form = plan.form ?? file.form
    const text = await createResultText(form, {
      operation,
      otherColumns: file.otherColumns,
      cell: forTerminal(plan.csvRaw ? rawCell : cell, plan.out === undefined && context.io.stdoutIsTty),
      clean: harmlessJson,
    })
    const output = await openBulkOutput(context, plan, file, text, operation, input.path)
    const progress = await showProgress(context, tally, pace)
    const stopDraining = drainOnStop(context, drain)
    const { run } = await import('../../bulk/run.ts')
    const ran = await run({
      file,
      rows: checked.rows,
      operation,
      ledger: job.ledger,
      resumed: job.resumed,
      retryUnknown: plan.retryUnknown,
      concurrency: plan.concurrency,
      stop: AbortSignal.any([signal, output.broken]),
      drain: drain.signal,
      async write(rows) {
        tally.name(rows)
        await command.onRows?.(rows)
        await output.write(rows)
      },
      onRow(result, sent) {
        tally.count(result, sent)
        progress.update()
      },
    })
    stopDraining()
    if ((await input.version()) !== version)
      context.output.warn(`${input.name} was changed while it was run: rows and results may not belong together`)
    progress.stop()
    if (ran.complete || output.begun()) await output.finish()
    else await output.abandon()
    const lost = ran.complete && output.broken.aborted
    const end: RunEnd = lost ? { complete: false, error: output.broken.reason } : ran
    if (end.complete) job.close(new Date(clock.now()).toISOString())
    else if (tally.sent === 0) job.discard()
    else job.close()
    settled = true
    if (end.complete) await command.onEnd?.(tally)
    await endOf(context, { plan, operation, tally, end, failedFile: output.failedFile() })
  } finally {
    if (!settled && tally.sent === 0) job.discard()
    else if (!settled) job.close()
  }
}

const rawCell = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? '') as string | number | boolean)

/** Cells of what goes to a terminal: what a service said stands in them, and must not drive it. */
function forTerminal(cell: ResultTextOptions['cell'], isTerminal: boolean): ResultTextOptions['cell'] {
  if (!isTerminal) return cell
  return (value) => {
    const shown = cell(value)
    return typeof shown === 'string' ? visible(shown) : shown
  }
}

async function connect(
  context: Context,
  pacing: Pacing & { pausedFor(): number },
  signal: AbortSignal,
  what: string,
): Promise<Client> {
  const { DEFAULT_RETRY } = await import('../../client/retry.ts')
  return context.apiFor({
    pacing,
    signal,
    retry: { ...DEFAULT_RETRY, limitedAttempts: LIMITED_ATTEMPTS },
    onWait(waitMs, why) {
      if (why === '429' && pacing.pausedFor() === 0)
        context.output.note(`429: all calls pause for ${Math.ceil(waitMs / 1000)} s`)
    },
    what,
  })
}

/** After a signal: no new row is begun, and what is in flight has a time to end in. @returns ends the watch */
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
