import { type Define, examples } from '../command.ts'
import { addProxyOptions, readProxyPlan } from './plan.ts'

export const define: Define = (command, act) => {
  addProxyOptions(command).action(
    act(async (context, options) => {
      const plan = readProxyPlan(context, options)
      const { runProxy } = await import('./run.ts')
      await runProxy(context, plan)
    }),
  )
  command.addHelpText(
    'after',
    `
Give your program the proxy's address in the place of the service's. Every byte
passes unchanged both ways, but for the Host header (and the key, with
--with-key). Nothing is repeated, and no answer is made up: a call that the
service does not answer is not answered. Only a request that is not for the
proxy, or is off with --strict, gets an answer of the proxy's own. While a sandbox
runs here, its window lists these calls too, without what was sent.`,
  )
  examples(command, [
    ['between your program and the service of the profile', 'bnpl proxy'],
    ['in a test: refuse what differs, as lines of JSON', 'bnpl proxy --strict --port 0 --ready-file ready.json --json'],
    ['your program does not know the key', 'bnpl proxy --with-key'],
  ])
}
