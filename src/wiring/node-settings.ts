import type { Context, World } from '../context.ts'
import { isLoopback } from '../domain/origin.ts'
import { config } from '../errors.ts'
import { tracesTraffic } from '../profiles/environment.ts'

/** Throws `config` when NODE_TLS_REJECT_UNAUTHORIZED=0 turns off Node's check of certificates, unless BNPL_BASE_URL is on this machine. */
export function refuseUncheckedTls(world: World): void {
  if (world.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  const base = world.env.BNPL_BASE_URL
  if (base && isLoopbackUrl(base)) return
  throw config(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would send your key to any server that answers',
    'Unset NODE_TLS_REJECT_UNAUTHORIZED. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    'TLS_UNCHECKED',
  )
}

/**
 * Throws `config` when NODE_DEBUG makes Node print requests, because they contain the key and national ids. If the service is beta, a
 * sandbox, or on this machine, prints a warning instead.
 */
export async function refuseDebugTraces({ world, output, settings }: Context): Promise<void> {
  if (!tracesTraffic(world.env.NODE_DEBUG)) return
  const { environment, baseUrl } = await settings()
  const here = baseUrl !== undefined && isLoopbackUrl(baseUrl.value)
  const harmless = environment.value === 'beta' || environment.value === 'sandbox' || here
  const what = `NODE_DEBUG=${world.env.NODE_DEBUG} makes Node print all requests and answers, with keys and national ids`
  if (!harmless) throw config(what, 'Unset NODE_DEBUG, and use --verbose, which masks keys and ids.', 'DEBUG_TRACES')
  output.warn(`${what}. Do not share that output`)
}

const isLoopbackUrl = (text: string) => URL.canParse(text) && isLoopback(new URL(text).hostname)
