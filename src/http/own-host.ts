import { isIP } from 'node:net'
import { isLoopback } from '../domain/origin.ts'
import { hostInUrl, isAllInterfaces } from './address.ts'

/** The names of a server, besides those of the loopback interface. */
export interface OwnNames {
  /** The port that is bound. */
  port: number
  /**
   * In lower case: `name` at any port, `name:8080` at that port, `name:own` at the port that is bound; `*` means any address (not name) of
   * this machine at the port that is bound.
   */
  hosts: readonly string[]
  /** The port that a `Host` without one means: 80, as HTTP says. Unless it is given, such a `Host` fits every port. */
  defaultPort?: number | undefined
}

/** The names of a server that is bound to `host`. @param more its further names, in lower case */
export const namesOfHost = (host: string, more: readonly string[]): string[] => [
  isAllInterfaces(host) ? '*' : hostInUrl(host),
  ...more,
]

/**
 * Decides by the `Host` of a request. A foreign one is another site's name that was pointed at this machine (DNS rebinding). If a
 * request has two, a proxy in front may have checked one of them and passed on the other.
 * @returns the status to refuse with: 400 for more than one, 421 for a foreign one; 0 for one of our own
 */
export function refuseHost(hosts: readonly string[], names: OwnNames): 0 | 400 | 421 {
  if (hosts.length > 1) return 400
  return isOwnHost(hosts[0], names) ? 0 : 421
}

/** Whether a host, as `Host` and `Origin` write it, names this server. */
export function isOwnHost(given: string | undefined, { port, hosts, defaultPort }: OwnNames): boolean {
  const parsed = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(given?.toLowerCase() ?? '')
  if (!parsed) return false
  const [, name = '', digits] = parsed
  const asked = digits === undefined ? defaultPort : Number(digits)
  // A name without a port belongs to a proxy or a tunnel in front, which has a port of its own.
  if (hosts.includes(name) || hosts.includes(`${name}:${asked}`)) return true
  if (asked !== undefined && asked !== port) return false
  if (isLoopback(name) || hosts.includes(`${name}:own`)) return true
  return hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
