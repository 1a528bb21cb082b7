import type { Context } from '../../context.ts'
import { maskTarget } from '../../domain/shown-target.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { ExchangeEnd } from '../../sandbox/server/exchange.ts'
import type { ServedSandbox, ServeOptions } from '../../sandbox/server/serve.ts'
import { formatTime } from '../../terminal/numbers.ts'
import type { Style } from '../../terminal/output.ts'
import { visible } from '../../text/visible.ts'
import { prepareLongRun } from '../long-run.ts'

/** Serves a sandbox, and shows its calls on stderr when that is a terminal. */
export async function serveHere(
  context: Context,
  options: Pick<
    ServeOptions,
    'host' | 'port' | 'allowHosts' | 'publicUrl' | 'dataFile' | 'allowHttp' | 'isPrivate' | 'customer' | 'description'
  > & { stateDir?: string },
): Promise<ServedSandbox> {
  const { world, output, clock, io } = context
  prepareLongRun(world)
  const [{ serveSandbox }, { isTrouble }] = await Promise.all([
    import('../../sandbox/server/serve.ts'),
    import('../../sandbox/service/failures.ts'),
  ])
  const isWatched = !context.options.quiet && (context.options.verbose || io.stderrIsTty)
  return serveSandbox({
    stateDir: world.stateDir,
    ...options,
    window: async (service) => (await import('../../window/window.ts')).createWindow(service),
    clock,
    random: world.random,
    pid: world.pid,
    notice: output.warn,
    ...(isWatched ? { onCall: (call) => io.err(`${callLine(call, clock.now(), output.errStyle)}\n`) } : {}),
    onFault: (error) => output.warn(faultLine(error, isTrouble(error))),
    onRecovery: () => output.warn('the database answers again, so the sandbox can answer every call again'),
  })
}

/** Returns the line about a call. Keys and national ids in it are masked. */
function callLine({ method, url, status, ms }: ExchangeEnd, now: number, style: Style): string {
  const { pathname, search } = new URL(url)
  const at = formatTime(new Date(now).toISOString()).slice(-8)
  const answer = status === undefined ? 'cut' : String(status)
  const look = status !== undefined && status < 400 ? style.green : style.red
  return `${style.dim(at)}  ${look(answer)}  ${visible(`${method} ${maskTarget(pathname + search)}`)}  ${style.dim(`${Math.round(ms)} ms`)}`
}

function faultLine(error: unknown, isTrouble: boolean): string {
  if (error instanceof BnplError && isTrouble) {
    const hint = error.hint === undefined ? '' : ` ${error.hint}`
    return `${error.message}; calls that need the database are answered with 503 until it can be used again.${hint}`
  }
  return `the sandbox itself failed: ${tellable(error)}`
}
