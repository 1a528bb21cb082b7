import { isLoopback } from '../domain/origin.ts'
import { config } from '../errors.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The proxy that requests to an origin go through. */
export interface Proxy {
  /** Absolute, with its password if it has one. */
  url: string
  /** Hosts that are asked without it, as `NO_PROXY` lists them. */
  except: string
}

/**
 * The proxy of the environment for an address: HTTPS_PROXY, for https off this machine. `proxy.example:3128` is an http proxy, as it is
 * for curl. Throws `config` for what is none: without it, requests would go past the proxy that somebody meant.
 * @returns undefined where the address is asked directly
 */
export function proxyFor(address: URL, env: Env): Proxy | undefined {
  const text = (env.HTTPS_PROXY || env.https_proxy)?.trim()
  if (!text || address.protocol !== 'https:' || isLoopback(address.hostname)) return undefined
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url !== null && url.hostname !== '' && /^https?:$/.test(url.protocol))
    return { url: url.href, except: env.NO_PROXY || env.no_proxy || '' }
  // Not repeated: a password may be in it.
  throw config(
    'HTTPS_PROXY is not the address of an http or https proxy',
    'Nothing was sent. Write it as http://proxy.example:3128, or unset it.',
    'BAD_PROXY',
  )
}
