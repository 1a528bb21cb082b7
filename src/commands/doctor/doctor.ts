import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import type { Settings } from '../../profiles/resolve.ts'
import { type Check, judge, showChecks } from '../../terminal/checks.ts'
import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { accountChecks } from './account.ts'
import { examine } from './examination.ts'
import { machineChecks } from './machine.ts'
import { serviceChecks } from './service.ts'

export const define: Define = (command, act) => {
  command.option('--offline', 'leave out the checks that need the network').action(
    act(async (context, options) => {
      refuseDryRun(context)
      const checks = await examine(context, machineChecks(context))
      const settings = await settingsOrCheck(context, checks)
      if (settings) {
        checks.push(...(await examine(context, accountChecks(context, settings))))
        if (!options.offline) checks.push(...(await examine(context, serviceChecks(context, settings))))
      }
      await showChecks(context.output, checks, context.output.width)
      judge(checks)
    }),
  )
  examples(command, [
    ['find out why commands fail', 'bnpl doctor'],
    ['check a profile without using the network', 'bnpl doctor -p acme --offline'],
  ])
}

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
