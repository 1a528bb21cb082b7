import { isIP } from 'node:net'
import { isLoopback } from '../domain/origin.ts'

/** The names of a server, besides those of the loopback interface. */
export interface OwnNames {
  port: number
  /** In lower case; `*` stands for any address (not name) of this machine. */
  hosts: readonly string[]
}

/**
 * Every `Host` of a request. Not by `headersDistinct`, which sorts all headers of every delivery.
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
 * Decides by the `Host` of a request. A foreign one is another site's name that was pointed at this machine (DNS rebinding); where there
 * are two, a proxy may have checked the other one.
 * @returns the status to refuse with: 400 for more than one, 421 for a foreign one; 0 when the request may come in
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
  // A name that the operator gave belongs to a proxy or a tunnel in front, whose port is another.
  if (hosts.includes(name)) return true
  if (digits !== undefined && Number(digits) !== port) return false
  return isLoopback(name) || (hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0)
}
