import { isIP } from 'node:net'
import { isLoopback } from '../../domain/origin.ts'
import { isPageAddress } from '../page/addresses.ts'
import { CONTROL_PREFIX } from '../service/control-access.ts'
import { Refusal } from '../service/refusal.ts'
import { WINDOW_PREFIX } from '../window/addresses.ts'

/** What the door of a served sandbox needs to know of itself. */
export interface Gate {
  port: number
  /** Names this server goes by besides the loopback ones, as `name` or `name:port`, in lower case. */
  names: readonly string[]
}

/** The head of a request, as far as the door looks at it. */
export interface Head {
  method: string
  path: string
  /** Every `Host` header that was sent. */
  hosts: readonly string[]
  origin: string | undefined
  /** `Sec-Fetch-Site`: a browser's own word on where a request comes from. Pages cannot set it. */
  fetchSite: string | undefined
}

/**
 * Decides at the door. A foreign `Host` is another site's name pointed at this machine (DNS rebinding); a foreign `Origin` is
 * another site's page writing through a visitor's browser. Programs send neither and pass.
 * @returns undefined when the request may come in
 */
export function refuse(head: Head, gate: Gate): Refusal | undefined {
  if (!head.path.startsWith('/')) return new Refusal(400, 'ERR_BAD_REQUEST', 'the request target must be a path')
  const [host] = head.hosts
  if (host === undefined || head.hosts.length > 1)
    return new Refusal(400, 'ERR_BAD_REQUEST', 'exactly one Host header is needed')
  if (!isOwnHost(host, gate)) {
    return new Refusal(
      421,
      'ERR_MISDIRECTED_REQUEST',
      'this sandbox does not go by that Host; `bnpl sandbox start --allow-host NAME` adds a name',
    )
  }
  if (isGuarded(head) && isForeign(head, gate)) {
    return new Refusal(
      403,
      'ERR_FOREIGN_ORIGIN',
      "another site's page may not do this: call the service from a backend",
    )
  }
  return undefined
}

/**
 * Navigating to a page from elsewhere is how customers arrive; everything that changes something, all control, and what the window
 * asks, is guarded.
 */
function isGuarded({ method, path }: Head): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return [CONTROL_PREFIX, WINDOW_PREFIX].some((prefix) => `${path}/`.startsWith(`${prefix}/`))
}

function isForeign({ path, origin, fetchSite }: Head, gate: Gate): boolean {
  // A page with `no-referrer` posts to its own server with `Origin: null`; only this header tells it from a stranger.
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
  if (origin === undefined) return false
  // Browsers leave it out towards plain http elsewhere than on this machine (a phone paying): the token in the form then decides.
  if (origin === 'null' && isPageAddress(path)) return false
  return !origin.startsWith('http://') || !isOwnHost(origin.slice('http://'.length), gate)
}

function isOwnHost(given: string, { port, names }: Gate): boolean {
  const parsed = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(given.toLowerCase())
  if (!parsed) return false
  const [, name = '', digits] = parsed
  if (names.includes(`${name}:${digits ?? 80}`)) return true
  if (Number(digits ?? 80) !== port) return false
  return isLoopback(name) || names.includes(name) || (names.includes(ANY) && isAddress(name))
}

/** Listed when the server listens on every interface: any address (not name) of this machine is then its own. */
export const ANY = '*'

const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) !== 0
