import type { Context } from '../../../context.ts'
import { SANDBOX } from '../../../domain/sandbox-accounts.ts'
import { usage } from '../../../errors.ts'
import { type Define, examples, offer } from '../../command.ts'
import { logAsAsked } from '../../long-run.ts'
import { VERIFICATION_SCHEMES } from '../receiver-options.ts'
import { addListenOptions, readListenPlan } from './plan.ts'

export const define: Define = (command, act) => {
  addListenOptions(command).action(
    act(async (context, options) => {
      if (options.printSecret) return printSecret(context)
      logAsAsked(context, options.log)
      const plan = await readListenPlan(context, options)
      if (options.printUnit) return (await import('./unit.ts')).printUnit(context, options)
      const { startListening } = await import('./start.ts')
      await startListening(context, plan)
    }),
  )
  offer(command, '--scheme', VERIFICATION_SCHEMES)
  examples(command, [
    [
      'forward events of the sandbox to a handler; the secret is shown at the start',
      'bnpl webhooks listen -p sandbox --forward-to http://127.0.0.1:3000/hook',
    ],
    [
      'verify and store events, then forward them to a handler on this machine',
      'bnpl webhooks listen --forward-to http://127.0.0.1:3000/hook',
    ],
    [
      'behind a tunnel: register its address, and remove it when the listener stops',
      'bnpl webhooks listen --public-url https://abc.tunnel.example/hook',
    ],
    ['in a test: one event, as a line of JSON', 'bnpl webhooks listen --until 1 --ready-file ready.json > event.json'],
  ])
}

/** Throws `usage` for a real account, because its secret must not appear on a terminal. */
async function printSecret(context: Context): Promise<void> {
  const { environment, apiKey } = await context.settings()
  if (environment.value !== SANDBOX || apiKey === undefined)
    throw usage('--print-secret works only with the sandbox', 'Add -p sandbox.', 'NO_SANDBOX')
  const { listenerSecretOf } = await import('../../../domain/sandbox-secret.ts')
  const secret = listenerSecretOf(apiKey.value)
  await context.output.result({ secret }, () => secret)
}
