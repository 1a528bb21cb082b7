import { isIP } from 'node:net'
import { isLoopback } from '../domain/origin.ts'
import { hostInUrl, isAllInterfaces } from './address.ts'

/** The names of a server, besides those of the loopback interface. */
export interface OwnNames {
  port: number
  /** In lower case; `*` means any address (not name) of this machine. */
  hosts: readonly string[]
}

/** The names of a server that is bound to `host`. @param more its further names, in lower case */
export const namesOfHost = (host: string, more: readonly string[]): string[] => [
  isAllInterfaces(host) ? '*' : hostInUrl(host),
  ...more,
]

/**
 * Every `Host` of a request. It avoids `headersDistinct`, which would sort all headers of every delivery.
 * @param rawHeaders names and values in turn, as Node gives them
 */
export function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] ?? '')
  }
  return hosts
}

/**
 * Decides by the `Host` of a request. A foreign one is another site's name that points at this machine (DNS rebinding). Two are refused,
 * because a proxy may have checked the other one.
 * @returns the status to refuse with: 400 for more than one, 421 for a foreign one; 0 for one of our own
 */
export function refuseHost(hosts: readonly string[], names: OwnNames): 0 | 400 | 421 {
  if (hosts.length > 1) return 400
  return isOwnHost(hosts[0], names) ? 0 : 421
}

/** Whether a `Host` names this server. */
export function isOwnHost(given: string | undefined, { port, hosts }: OwnNames): boolean {
  const parsed = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(given?.toLowerCase() ?? '')
  if (!parsed) return false
  const [, name = '', digits] = parsed
  // A name that the operator gave belongs to a proxy or a tunnel in front, which has its own port.
  if (hosts.includes(name)) return true
  if (digits !== undefined && Number(digits) !== port) return false
  return isLoopback(name) || (hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0)
}
