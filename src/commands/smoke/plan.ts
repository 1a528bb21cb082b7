import type { Context } from '../../context.ts'
import { WireFault } from '../../contract/wire.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { isLoopback } from '../../domain/origin.ts'
import { SANDBOX } from '../../domain/sandbox-accounts.ts'
import { BnplError } from '../../errors.ts'
import type { Check } from '../../terminal/checks.ts'
import { nextCommand } from '../global-options.ts'
import { paymentChecks } from './payment.ts'
import { readChecks, reportChecks } from './reads.ts'
import type { Probe, SmokeOptions, SmokeRun } from './run.ts'
import { webhookChecks } from './webhooks.ts'

const TIMEOUT = 'TIMEOUT'

const MOST_LATE = 2

/**
 * Runs the checks one after the other, because later checks use the results of earlier checks. After two checks without
 * an answer in time, the remaining checks are skipped. A failed check is a result, never an exception.
 */
export async function runChecks(context: Context, options: SmokeOptions): Promise<Check[]> {
  const run: SmokeRun = {
    context,
    options,
    isSandbox: await isSandbox(context),
    externalTrxId: `smoke-${newTransactionId(context.clock.now(), context.world.random)}`,
  }
  const checks: Check[] = []
  let late = 0
  for (const probe of probesOf(run)) {
    context.signal.throwIfAborted()
    if (late === MOST_LATE) {
      const detail = 'not run, because two earlier checks got no answer in time'
      checks.push({ name: probe.name, status: 'skipped', detail, ms: 0 })
      continue
    }
    checks.push(await runOne(context, options, probe, () => late++))
  }
  return checks
}

/**
 * Returns the checks in their order. In a sandbox without `--pre-approve-id`, the report check comes after the payment checks, because it
 * reads the report of their evaluation.
 */
function probesOf(run: SmokeRun): Probe[] {
  const usesOwnReport = run.isSandbox && run.options.preApproveId === undefined
  const [reads, report] = [readChecks(run), reportChecks(run)]
  return usesOwnReport
    ? [...reads, ...paymentChecks(run), ...report, ...webhookChecks(run)]
    : [...reads, ...report, ...paymentChecks(run), ...webhookChecks(run)]
}

/** Whether the settings name the sandbox, or the address of a running sandbox of this state folder (`sandbox run` sets that address). */
async function isSandbox(context: Context): Promise<boolean> {
  const { environment, baseUrl } = await context.settings()
  if (environment.value === SANDBOX) return true
  if (baseUrl === undefined || !isLoopback(new URL(baseUrl.value).hostname)) return false
  const { readRunning } = await import('../../sandbox/server/running.ts')
  return (await readRunning(context.world.stateDir))?.baseUrl === baseUrl.value
}

async function runOne(
  context: Context,
  options: SmokeOptions,
  { name, changes, look }: Probe,
  onLate: () => void,
): Promise<Check> {
  if (changes && !options.mayChange) {
    return {
      name,
      status: 'skipped',
      detail: 'this check would change something on production',
      hint: 'Add --allow-production to run the check.',
      ms: 0,
    }
  }
  const started = context.clock.monotonic()
  try {
    const seen = await look()
    return { name, ...seen, ms: Math.round(context.clock.monotonic() - started) }
  } catch (error) {
    const ms = Math.round(context.clock.monotonic() - started)
    if (error instanceof WireFault) {
      if (error.kind === 'aborted') throw context.signal.reason
      if (error.kind === 'timeout') onLate()
      const { faultWords } = await import('../../contract/failures/connections.ts')
      return {
        name,
        status: 'fail',
        detail: `no answer: ${faultWords(error.kind)}`,
        hint: `Find out why: ${nextCommand(context, 'bnpl doctor')}`,
        ms,
      }
    }
    if (!(error instanceof BnplError)) throw error
    if (error.code === TIMEOUT) onLate()
    const { hintOf } = await import('../advice.ts')
    const hint = hintOf(error, context.options.profile)
    return { name, status: 'fail', detail: error.message, ...(hint === undefined ? {} : { hint }), ms }
  }
}
