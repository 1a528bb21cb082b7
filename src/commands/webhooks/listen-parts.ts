import { isIPv6 } from 'node:net'
import type { Context } from '../../context.ts'
import { isLoopback } from '../../domain/origin.ts'
import { BnplError, config } from '../../errors.ts'
import type { ReceiverOptions } from '../../receiver/receiver.ts'
import type { ListenPlan } from './listen.ts'
import type { View } from './listen-view.ts'

const ALL_INTERFACES: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
const inUrl = (host: string) => (isIPv6(host) ? `[${host}]` : host.toLowerCase())

/** The address as a client on this machine writes it. */
export function shownAddress({ host, path }: Pick<ListenPlan, 'host' | 'path'>, port: number): string {
  return `http://${ALL_INTERFACES[host] ?? inUrl(host)}:${port}${path}`
}

/** The names a listener goes by besides the loopback ones. */
export function ownHosts({ host, publicHosts }: Pick<ListenPlan, 'host' | 'publicHosts'>): string[] {
  return [host in ALL_INTERFACES ? '*' : inUrl(host), ...publicHosts]
}

/**
 * Why the port could not be had.
 * @param prefix of the options that chose it
 */
export function bindFailure(
  error: unknown,
  { host, port }: Pick<ListenPlan, 'host' | 'port'>,
  prefix: '' | 'metrics-' = '',
): unknown {
  if (error instanceof BnplError) return error
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return config(
        `port ${port} on ${host} is taken`,
        `Choose another with --${prefix}port N, or --${prefix}port 0 for any free one.`,
        'PORT_TAKEN',
      )
    case 'EACCES':
      return config(
        `port ${port} may not be opened by this user`,
        `Choose one above 1023 with --${prefix}port N.`,
        'PORT_REFUSED',
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
    case 'EAI_AGAIN':
      return config(`${host} is no address of this machine`, `Leave --${prefix}host out for 127.0.0.1.`, 'BAD_HOST')
    default:
      return error
  }
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
  const { FORWARD_RETRY } = await import('../../receiver/forwarder.ts')
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
