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
Configure the proxy's address in your program instead of the service's.
Headers and bodies pass unchanged in both directions, except for the Host
header (and the key, with --with-key). If the service's address has a path, the
proxy puts it before the path of each call. The proxy never repeats a call and
never invents an answer. If the service does not answer a call, the program
gets no answer either. The proxy itself answers only to refuse a request: if
the request is addressed to another host or is not valid HTTP, if it differs
from the contract (with --strict), or if a page in a browser sent it (with
--with-key). While a sandbox runs on this machine, its window also lists these
calls, but not their contents.`,
  )
  examples(command, [
    ['pass calls between your program and the service of the profile', 'bnpl proxy'],
    [
      'in a test: refuse requests that differ from the contract; print JSON lines',
      'bnpl proxy --strict --port 0 --ready-file ready.json --json',
    ],
    ['pass calls of a program that has no key, and add the key of the profile', 'bnpl proxy --with-key'],
  ])
}
