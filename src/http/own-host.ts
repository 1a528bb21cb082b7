import { isIP } from 'node:net'
import { isLoopback } from '../domain/origin.ts'
import { hostInUrl, isAllInterfaces } from './address.ts'

/** The names under which clients may reach a server. The names of the loopback interface are always allowed. */
export interface OwnNames {
  port: number
  /**
   * The names, in lower case. `name` is valid with any port, `name:8080` only with port 8080, `name:own` only with the server's own port.
   * `*` means every IP address with the server's own port.
   */
  hosts: readonly string[]
  /** The port that a `Host` without a port means: 80 in HTTP. Without this field, the server's own port is assumed. */
  defaultPort?: number | undefined
}

/**
 * Returns the names of a server that is bound to `host`.
 * @param more further names, in lower case
 */
export const namesOfHost = (host: string, more: readonly string[]): string[] => [
  isAllInterfaces(host) ? '*' : hostInUrl(host),
  ...more,
]

/**
 * Returns the status with which a request is refused because of its `Host`; 0 if the `Host` is allowed.
 * A foreign name is refused with 421, because another site may have pointed its name at this machine (DNS rebinding). Two `Host` headers
 * are refused with 400, because a proxy may have checked only one of them.
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
  // If `hosts` contains the name without a port, accept any port, because a proxy or a tunnel in front of the server may have its own port.
  if (hosts.includes(name) || hosts.includes(`${name}:${asked}`)) return true
  if (asked !== undefined && asked !== port) return false
  if (isLoopback(name) || hosts.includes(`${name}:own`)) return true
  return hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
