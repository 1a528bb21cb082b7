import { isIP } from 'node:net'
import { isLoopback } from '../domain/origin.ts'
import { hostInUrl, isAllInterfaces } from './address.ts'

/** The names of a server, in addition to those of the loopback interface. */
export interface OwnNames {
  /** The port on which the server listens. */
  port: number
  /**
   * The names, in lower case. `name` is valid with any port, `name:8080` only with that port, `name:own` only with the port on which the
   * server listens. `*` means any IP address of this machine (not a name), with the port on which the server listens.
   */
  hosts: readonly string[]
  /** The port that a `Host` without a port means, which is 80 in HTTP. Without this field, such a `Host` is valid for every port. */
  defaultPort?: number | undefined
}

/** The names of a server that is bound to `host`. @param more further names, in lower case */
export const namesOfHost = (host: string, more: readonly string[]): string[] => [
  isAllInterfaces(host) ? '*' : hostInUrl(host),
  ...more,
]

/**
 * Checks the `Host` of a request. A foreign `Host` is the name of another site that was pointed at this machine (DNS rebinding). A request
 * with two `Host` headers is refused too, because a proxy may have checked only one of them.
 * @returns the status to refuse with: 400 for more than one `Host`, 421 for a foreign one; 0 for one of our own
 */
export function refuseHost(hosts: readonly string[], names: OwnNames): 0 | 400 | 421 {
  if (hosts.length > 1) return 400
  return isOwnHost(hosts[0], names) ? 0 : 421
}

/** Whether a host from a `Host` or `Origin` header names this server. */
export function isOwnHost(given: string | undefined, { port, hosts, defaultPort }: OwnNames): boolean {
  const parsed = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(given?.toLowerCase() ?? '')
  if (!parsed) return false
  const [, name = '', digits] = parsed
  const asked = digits === undefined ? defaultPort : Number(digits)
  // An entry of `hosts` without a port is the name of a proxy or a tunnel in front of the server. Its port can be any.
  if (hosts.includes(name) || hosts.includes(`${name}:${asked}`)) return true
  if (asked !== undefined && asked !== port) return false
  if (isLoopback(name) || hosts.includes(`${name}:own`)) return true
  return hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
