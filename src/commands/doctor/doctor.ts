import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import type { Settings } from '../../profiles/resolve.ts'
import { type Check, judge, showChecks } from '../../terminal/checks.ts'
import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { accountChecks } from './account.ts'
import type { Finding } from './finding.ts'
import { machineChecks } from './machine.ts'
import { serviceChecks } from './service.ts'

export const define: Define = (command, act) => {
  command.option('--offline', 'leave out the checks that need the network').action(
    act(async (context, options) => {
      refuseDryRun(context)
      const checks = await timed(context, machineChecks(context))
      const settings = await settingsOrCheck(context, checks)
      if (settings) {
        checks.push(...(await timed(context, accountChecks(settings))))
        if (!options.offline) checks.push(...(await timed(context, serviceChecks(context, settings))))
      }
      await showChecks(context.output, checks, context.output.width)
      judge(checks)
    }),
  )
  examples(command, [
    ['find out why commands fail', 'bnpl doctor'],
    ['for a profile, without touching the network', 'bnpl doctor -p acme --offline'],
  ])
}

/** Runs findings one after the other and times each. A finding that throws a `BnplError` is a failed check. */
async function timed(context: Context, findings: readonly Finding[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const { name, look } of findings) {
    const started = context.clock.monotonic()
    const seen = await look().catch((error: unknown) => {
      if (error instanceof BnplError)
        return { status: 'fail' as const, detail: error.message, ...(error.hint ? { hint: error.hint } : {}) }
      throw error
    })
    if (seen) checks.push({ name, ...seen, ms: Math.round(context.clock.monotonic() - started) })
  }
  return checks
}

/** The settings in force; undefined when they cannot be read, which is then a failed check. */
async function settingsOrCheck(context: Context, checks: Check[]): Promise<Settings | undefined> {
  try {
    return await context.settings()
  } catch (error) {
    if (!(error instanceof BnplError)) throw error
    checks.push({
      name: 'settings',
      status: 'fail',
      detail: error.message,
      ...(error.hint ? { hint: error.hint } : {}),
      ms: 0,
    })
    return undefined
  }
}
