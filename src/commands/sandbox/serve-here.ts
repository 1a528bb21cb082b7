import type { Context } from '../../context.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { ServedSandbox, ServeOptions } from '../../sandbox/serve.ts'
import { callLine } from './call-line.ts'

/** Serves a sandbox for a command, with the calls shown on stderr on a terminal or with `--verbose`. */
export async function serveHere(
  context: Context,
  options: Pick<ServeOptions, 'host' | 'port' | 'allowHosts' | 'publicUrl' | 'dataFile' | 'database' | 'allowHttp'> & {
    stateDir?: string
  },
): Promise<ServedSandbox> {
  const { world, output, clock, io } = context
  const [{ serveSandbox }, { isTrouble }] = await Promise.all([
    import('../../sandbox/serve.ts'),
    import('../../sandbox/outage.ts'),
  ])
  const isWatched = !context.options.quiet && (context.options.verbose || io.stderrIsTty)
  return serveSandbox({
    stateDir: world.stateDir,
    ...options,
    clock,
    random: world.random,
    pid: world.pid,
    ...(isWatched ? { onCall: (call) => io.err(`${callLine(call, clock.now(), output.errStyle)}\n`) } : {}),
    onFault: (error) => output.warn(faultLine(error, isTrouble(error))),
    onRecovery: () => output.warn('the database answers again, and so does the sandbox'),
  })
}

function faultLine(error: unknown, isTrouble: boolean): string {
  if (error instanceof BnplError && isTrouble) {
    if (error.kind === 'network') return `${error.message}; the sandbox answers 503 until it is back`
    const hint = error.hint === undefined ? '' : ` ${error.hint}`
    return `${error.message}; what needs it is answered 503 until that is over.${hint}`
  }
  return `the sandbox itself failed: ${tellable(error)}`
}
