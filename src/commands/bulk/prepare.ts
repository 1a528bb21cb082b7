import type { CheckedInput } from '../../bulk/blocks.ts'
import type { CheckedFile } from '../../bulk/check.ts'
import type { Claims } from '../../bulk/claims.ts'
import type { Operation } from '../../bulk/operation.ts'
import type { Pace } from '../../bulk/pace.ts'
import type { RowFile } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/run.ts'
import type { Context } from '../../context.ts'
import { reportPlace } from '../report-file.ts'
import { type Calls, sharedApi } from './calls.ts'
import type { BulkOptions } from './options.ts'
import { type BulkPlan, readBulkOptions } from './plan.ts'
import type { Tally } from './tally.ts'

export interface BulkCommand {
  operation: Operation
  /** Sees every row that is over, in input order. */
  onRows?(rows: readonly DoneRow[]): Promise<void>
  /** Runs when the results are in their place, before the exit code is decided. */
  onEnd?(tally: Tally): Promise<void>
}

/** A file whose every row can be sent, and what is to be done with it. */
export interface Prepared {
  plan: BulkPlan
  command: BulkCommand
  pace: Pace
  /** Aborted when calls in flight must end. */
  drain: AbortController
  /** What this run has for itself; a dry run needs nothing. */
  claims: Claims | undefined
  input: CheckedInput
  checked: CheckedFile
  file: RowFile
}

/** Reads and checks everything before a ledger is made. */
export async function prepare(
  context: Context,
  from: string,
  options: BulkOptions,
  make: (calls: Calls) => BulkCommand,
): Promise<Prepared> {
  const plan = readBulkOptions(context, from, options)
  const { clock, world, signal } = context
  await reportPlace(world.cwd, options.junit)
  const [{ openInput }, { checkFile }, { asChecked }, { openRows }, { createPace }, { keptFolder }] = await Promise.all(
    [
      import('../../bulk/input.ts'),
      import('../../bulk/check.ts'),
      import('../../bulk/blocks.ts'),
      import('../../bulk/row-file.ts'),
      import('../../bulk/pace.ts'),
      import('../../disk/kept-files.ts'),
    ],
  )
  const unbound = await world.boundMemory()
  context.onClose(async () => unbound())
  const drain = new AbortController()
  const pace = createPace(clock, signal, plan.perSecond)
  let rows = 0
  const what = () => `send ${rows} ${command.operation.things}`
  const command = make({ api: sharedApi(context, pace, drain.signal, what), signal: drain.signal, resume: plan.resume })
  const { operation } = command
  const dir = keptFolder(world.stateDir, 'bulk')
  const opened = await openInput(from, { cwd: world.cwd, spoolDir: dir, stdin: context.io.stdin, signal })
  context.onClose(opened.close)
  const claims = context.options.dryRun ? undefined : await openOurClaims(context)
  if (claims) {
    const { claimFiles } = await import('../../bulk/claim-files.ts')
    claimFiles(claims, [plan.out, plan.failed, plan.junit])
  }
  const checked = await checkFile(opened, operation, signal)
  const input = asChecked(opened, checked.blocks)
  const file = await openRows(input, operation.columns)
  rows = checked.rows
  return { plan, command, pace, drain, claims, input, checked, file }
}

async function openOurClaims(context: Context): Promise<Claims> {
  const [{ openClaims }, { keptFolder }] = await Promise.all([
    import('../../bulk/claims.ts'),
    import('../../disk/kept-files.ts'),
  ])
  const { stateDir, pid, isAlive } = context.world
  const dir = keptFolder(stateDir, 'claims')
  const claims = await openClaims({ dir, pid, isAlive, notice: context.output.warn })
  context.onClose(async () => claims.release())
  return claims
}
