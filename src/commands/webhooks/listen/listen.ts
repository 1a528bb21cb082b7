import { type Define, examples } from '../../command.ts'
import { addListenOptions, readListenPlan } from './plan.ts'

export const define: Define = (command, act) => {
  addListenOptions(command).action(
    act(async (context, options) => {
      const plan = await readListenPlan(context, options)
      const { startListening } = await import('./start.ts')
      await startListening(context, plan)
    }),
  )
  examples(command, [
    [
      'verify, store, and forward to a handler on this machine',
      'bnpl webhooks listen --forward-to http://127.0.0.1:3000/hook',
    ],
    [
      'behind a tunnel; the destination is registered while it runs',
      'bnpl webhooks listen --public-url https://abc.tunnel.example/hook',
    ],
    ['in a test: one event, as a line of JSON', 'bnpl webhooks listen --until 1 --ready-file ready.json > event.json'],
  ])
}
