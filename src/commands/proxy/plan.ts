import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import type { Command, OptionsOf } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { LOG, logAsAsked } from '../long-run.ts'
import { readPort } from '../option-values.ts'

export interface ProxyPlan {
  port: number
  strict: boolean
  withKey: boolean
  readyFile: string | undefined
}

/** Adds the options of `proxy` to a command. */
export const addProxyOptions = (command: Command) =>
  command
    .option('--port <n>', 'port to listen on, for programs on this machine only; 0 for any free port', '4557')
    .option('--strict', 'answer 400 to a request that differs from the contract, and do not pass it on')
    .option('--with-key', 'add the key of the profile to the calls')
    .option('--ready-file <file>', 'write a JSON line to this file when the proxy listens')
    .option(...LOG)

/** Checks the options of `proxy`. Throws `usage`. */
export function readProxyPlan(
  context: Context,
  { port, strict, withKey, readyFile, log }: OptionsOf<ReturnType<typeof addProxyOptions>>,
): ProxyPlan {
  refuseDryRun(context)
  logAsAsked(context, log)
  if (context.options.output === 'csv')
    throw usage('bnpl proxy cannot write CSV', 'Remove --output, or use --json for lines of JSON.')
  return { port: readPort('--port', port), strict: strict === true, withKey: withKey === true, readyFile }
}
