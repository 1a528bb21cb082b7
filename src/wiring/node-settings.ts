import type { Context, World } from '../context.ts'
import { isLoopback } from '../domain/origin.ts'
import { config } from '../errors.ts'
import { tracesTraffic } from '../profiles/environment.ts'

/** Settings of Node itself, in the environment, that would give secrets away. */

export function refuseUncheckedTls(world: World): void {
  if (world.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  const base = world.env.BNPL_BASE_URL
  if (base && isLoopbackUrl(base)) return
  throw config(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would send your key to anybody who answers',
    'Unset it; a private certificate authority goes into NODE_EXTRA_CA_CERTS.',
    'TLS_UNCHECKED',
  )
}

/** Node's own traces print headers and addresses, and with them the key and national ids. */
export async function refuseDebugTraces({ world, output, settings }: Context): Promise<void> {
  if (!tracesTraffic(world.env.NODE_DEBUG)) return
  const { environment, baseUrl } = await settings()
  const here = baseUrl !== undefined && isLoopbackUrl(baseUrl.value)
  const harmless = environment.value === 'beta' || environment.value === 'sandbox' || here
  const what = `NODE_DEBUG=${world.env.NODE_DEBUG} makes Node print what is sent and received, with keys and national ids`
  if (!harmless) throw config(what, 'Unset it; --verbose shows every request with these masked.', 'DEBUG_TRACES')
  output.warn(`${what}; keep that to yourself`)
}

const isLoopbackUrl = (text: string) => URL.canParse(text) && isLoopback(new URL(text).hostname)
