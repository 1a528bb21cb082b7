import type { Context } from '../../context.ts'
import { isDescribed, type ServiceDescription } from '../../contract/description.ts'
import { maskTarget } from '../../domain/addresses.ts'
import { BnplError, tellable } from '../../errors.ts'
import { databaseInEnvironment } from '../../profiles/resolve.ts'
import type { ServedSandbox, ServeOptions } from '../../sandbox/server/serve.ts'
import type { ExchangeEnd } from '../../sandbox/server/transport-server.ts'
import type { SandboxPartner } from '../../sandbox/store/partners.ts'
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
  await world.boundMemory(0)
  const [{ serveSandbox }, { isDatabaseFailure }] = await Promise.all([
    import('../../sandbox/server/serve.ts'),
    import('../../sandbox/service/refusal.ts'),
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
    onError: (error) => output.warn(faultLine(error, isDatabaseFailure(error))),
    onRecovery: () => output.warn('the database answers again, so the sandbox can answer every call again'),
  })
}

/** Returns the line about a call. Keys and national ids in it are masked. */
function callLine({ method, url, status, ms }: ExchangeEnd, now: number, style: Style): string {
  const { pathname, search } = new URL(url)
  const at = formatTime(now).slice(-8)
  const answer = status === undefined ? 'cut' : String(status)
  const look = status !== undefined && status < 400 ? style.green : style.red
  return `${style.dim(at)}  ${look(answer)}  ${visible(`${method} ${maskTarget(pathname + search)}`)}  ${style.dim(`${Math.round(ms)} ms`)}`
}

function faultLine(error: unknown, isDatabaseFailure: boolean): string {
  if (error instanceof BnplError && isDatabaseFailure) {
    const hint = error.hint === undefined ? '' : ` ${error.hint}`
    return `${error.message}; calls that need the database are answered with 503 until it can be used again.${hint}`
  }
  return `the sandbox itself failed: ${tellable(error)}`
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the environment without the variables of a real account. Variables that `privateEnvironment` replaces may remain. PGPASSWORD is
 * removed only if it is the password of the database in BNPL_DATABASE, because otherwise the user's own program may need it.
 */
export function withoutAccount(env: Env): Env {
  const opensOurs = databaseInEnvironment(env) !== undefined && !env.BNPL_DATABASE_PASSWORD
  return {
    ...env,
    ...(opensOurs && { PGPASSWORD: undefined }),
    BNPL_PROFILE: undefined,
    BNPL_SERVICE: undefined,
    BNPL_WEBHOOK_SECRET: undefined,
    BNPL_DATABASE: undefined,
    BNPL_DATABASE_PASSWORD: undefined,
  }
}

interface Served {
  baseUrl: string
  paymentUrl: string
  partners: readonly SandboxPartner[]
  description?: ServiceDescription
}

/** Returns the variables that make a program use the BNPL account of a sandbox. */
export function sandboxEnvironment(served: Served): { BNPL_API_KEY: string } & Record<string, string> {
  const partner = served.partners.find(({ product, active }) => product === 'bnpl' && active)
  if (partner === undefined)
    throw new BnplError('config', 'the sandbox has no active BNPL account', { code: 'SANDBOX_DATA' })
  return {
    BNPL_BASE_URL: served.baseUrl,
    BNPL_PAYMENT_URL: served.paymentUrl,
    BNPL_API_KEY: partner.apiKey,
    BNPL_PUBLIC_KEY: partner.publicKey,
    BNPL_ENTITY_ID: partner.entityId,
  }
}

/**
 * Returns the variables for a private sandbox, with the secret that signs the deliveries to every destination of the account, and with the
 * description that the sandbox follows, so that `bnpl` inside the command follows it too.
 */
export async function privateEnvironment(served: Served): Promise<Record<string, string>> {
  const { listenerSecretOf } = await import('../../domain/sandbox-secret.ts')
  const env = sandboxEnvironment(served)
  const { description } = served
  return {
    ...env,
    BNPL_WEBHOOK_SECRET: listenerSecretOf(env.BNPL_API_KEY),
    ...(description && isDescribed(description) && { BNPL_SERVICE: description.name }),
  }
}
