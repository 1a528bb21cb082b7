import type { Context } from '../../../context.ts'
import { isLoopback } from '../../../domain/origin.ts'
import { BnplError, config } from '../../../errors.ts'
import { hostInUrl, isAllInterfaces, shownHost, whyNotBound } from '../../../http/address.ts'
import type { ReceiverOptions } from '../../../receiver/receiver.ts'
import type { ListenPlan } from './listen.ts'
import type { View } from './view/view.ts'

/** The address as a client on this machine writes it. */
export function shownAddress({ host, path }: Pick<ListenPlan, 'host' | 'path'>, port: number): string {
  return `http://${shownHost(host)}:${port}${path}`
}

/** The names a listener goes by besides the loopback ones. */
export function ownHosts({ host, publicHosts }: Pick<ListenPlan, 'host' | 'publicHosts'>): string[] {
  return [isAllInterfaces(host) ? '*' : hostInUrl(host), ...publicHosts]
}

/**
 * Why the port could not be had.
 * @param prefix of the options that chose it
 */
export function bindFailure(
  error: unknown,
  at: Pick<ListenPlan, 'host' | 'port'>,
  prefix: '' | 'metrics-' = '',
): unknown {
  const why = error instanceof BnplError ? undefined : whyNotBound(error, at, prefix)
  return why ? config(...why) : error
}

/** How events are handed on; undefined without `--forward-to`. */
export async function forwardOptions(
  context: Context,
  plan: ListenPlan,
  view: View,
): Promise<ReceiverOptions['forward']> {
  const { forwardTo: url } = plan
  if (url === undefined) return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !isLoopback(hostname))
    context.output.warn(`events go to ${hostname} over plain http, personal data and all`)
  const { FORWARD_RETRY } = await import('../../../receiver/forwarding/forwarder.ts')
  return {
    target: {
      url,
      transport: await context.network(),
      clock: context.clock,
      timeoutMs: context.options.timeoutMs,
      userAgent: `bnpl/${context.world.version}`,
    },
    retry: { ...FORWARD_RETRY, attempts: plan.forwardAttempts },
    random: context.world.random,
    onResult: view.forwarded,
  }
}
