import { isIP } from 'node:net'
import { isLoopback } from '../../domain/origin.ts'
import { environmentOf } from '../conventions.ts'
import { isPageAddress } from '../page/addresses.ts'
import { CONTROL_PREFIX } from '../service/control-access.ts'
import { Refusal } from '../service/refusal.ts'
import { WINDOW_PREFIX } from '../window/addresses.ts'

/** What the gate needs to know about its server. */
export interface Gate {
  port: number
  /** The server's names besides those of loopback, as `name` or `name:port`, in lower case. */
  names: readonly string[]
}

/** The parts of a request's head that the gate checks. */
interface RequestHead {
  method: string
  path: string
  /** Every `Host` header that was sent. */
  hosts: readonly string[]
  origin: string | undefined
  /** `Sec-Fetch-Site`: where a request comes from, according to the browser. Pages cannot set it. */
  fetchSite: string | undefined
}

/**
 * Decides whether a request may come in. A foreign `Host` is another site's name pointed at this machine (DNS rebinding); a foreign `Origin`
 * is another site's page that writes through a visitor's browser. Programs send neither and pass.
 * @returns undefined when the request may come in
 */
export function refuse(head: RequestHead, gate: Gate): Refusal | undefined {
  if (!head.path.startsWith('/')) return new Refusal(400, 'ERR_BAD_REQUEST', 'the request target must be a path')
  const [host] = head.hosts
  if (host === undefined || head.hosts.length > 1)
    return new Refusal(400, 'ERR_BAD_REQUEST', 'exactly one Host header is needed')
  if (!isOwnHost(host, gate)) {
    return new Refusal(
      421,
      'ERR_MISDIRECTED_REQUEST',
      'this Host is not a name of this sandbox; `bnpl sandbox start --allow-host NAME` adds a name',
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
 * Customers arrive by navigating from another site, so reads of pages are open. Everything that changes something, all control actions, and
 * the window's own requests are guarded.
 */
function isGuarded({ method, path }: RequestHead): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return [CONTROL_PREFIX, WINDOW_PREFIX].some((prefix) => `${path}/`.startsWith(`${prefix}/`))
}

function isForeign({ path, origin, fetchSite }: RequestHead, gate: Gate): boolean {
  // A page with `no-referrer` posts to its own server with `Origin: null`: only this header distinguishes it from another site's page.
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
  if (origin === undefined) return false
  // Browsers do not send that header to plain http on another machine (a phone that pays): the token in the form then decides.
  if (origin === 'null' && isPageAddress(environmentOf(path).inside)) return false
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

/** In `names` when the server listens on every interface: every address (not name) of this machine is then its own. */
export const ANY = '*'

const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) !== 0
