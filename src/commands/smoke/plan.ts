import type { Context } from '../../context.ts'
import { WireFault } from '../../contract/wire.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { BnplError } from '../../errors.ts'
import type { Check } from '../../terminal/checks.ts'
import { paymentChecks } from './payment.ts'
import { readChecks } from './reads.ts'
import type { Probe, SmokeOptions, SmokeRun } from './run.ts'
import { webhookChecks } from './webhooks.ts'

/** Runs the checks one after the other; what an earlier one learned, a later one uses. Nothing is thrown for a check that fails. */
export async function runChecks(context: Context, options: SmokeOptions): Promise<Check[]> {
  const run: SmokeRun = {
    context,
    options,
    externalTrxId: `smoke-${newTransactionId(context.clock.now(), context.world.random)}`,
  }
  const checks: Check[] = []
  for (const probe of [...readChecks(run), ...paymentChecks(run), ...webhookChecks(run)]) {
    context.signal.throwIfAborted()
    checks.push(await runOne(context, options, probe))
  }
  return checks
}

async function runOne(context: Context, options: SmokeOptions, { name, changes, look }: Probe): Promise<Check> {
  if (changes && !options.mayChange) {
    return {
      name,
      status: 'skipped',
      detail: 'it would change something on production',
      hint: 'Add --allow-production to run it.',
      ms: 0,
    }
  }
  const started = context.clock.monotonic()
  try {
    const seen = await look()
    return { name, ...seen, ms: Math.round(context.clock.monotonic() - started) }
  } catch (error) {
    const ms = Math.round(context.clock.monotonic() - started)
    if (error instanceof WireFault && error.kind !== 'aborted') {
      return { name, status: 'fail', detail: `no answer: ${error.kind}`, hint: 'See: bnpl doctor', ms }
    }
    if (!(error instanceof BnplError)) throw error
    const hint = error.hint === undefined ? {} : { hint: error.hint }
    return { name, status: 'fail', detail: error.message, ...hint, ms }
  }
}
