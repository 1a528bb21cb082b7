import { isIPv6 } from 'node:net'

/** Where a server of ours listens: how its address is written, and why it could not be had. */

const ALL_INTERFACES: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

export const isAllInterfaces = (host: string): boolean => Object.hasOwn(ALL_INTERFACES, host)

/** A host as it stands in an address. */
export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host.toLowerCase())

/** The host by which a client on this machine reaches a server that is bound to `host`. */
export const shownHost = (host: string): string => ALL_INTERFACES[host] ?? hostInUrl(host)

/**
 * Why an address could not be bound, in words.
 * @param error what `listen` failed with
 * @param prefix of the options that chose the address
 * @returns undefined when it is no failure to bind
 */
export function whyNotBound(
  error: unknown,
  { host, port }: { host: string; port: number },
  prefix: '' | 'metrics-' = '',
): [message: string, hint: string, code: string] | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return [
        `port ${port} on ${host} is taken`,
        `Choose another with --${prefix}port N, or --${prefix}port 0 for any free one.`,
        'PORT_TAKEN',
      ]
    case 'EACCES':
      return [
        `port ${port} may not be opened by this user`,
        `Choose one above 1023 with --${prefix}port N.`,
        'PORT_REFUSED',
      ]
    default:
      // A host is looked up before it is bound; what neither is possible for is no address of ours.
      if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
      return [`${host} is no address of this machine (${code})`, `Leave --${prefix}host out for 127.0.0.1.`, 'BAD_HOST']
  }
}
