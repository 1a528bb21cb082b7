import { isIPv6, type Server } from 'node:net'
import { platform } from 'node:os'

const ALL_INTERFACES: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Whether a host means every network interface of this machine. */
export const isAllInterfaces = (host: string): boolean => Object.hasOwn(ALL_INTERFACES, host)

/** Returns a host in the form that a URL needs. */
export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host.toLowerCase())

/** Returns the host under which a client on this machine can reach a server that is bound to `host`. */
export const shownHost = (host: string): string => ALL_INTERFACES[host] ?? hostInUrl(host)

/** Returns the URL under which a client on this machine can reach a server. */
export const shownAddress = (host: string, port: number, path = ''): string =>
  `http://${shownHost(host)}:${port}${path}`

/** Binds a server and returns its port. Throws the error of `listen`. */
export function bind(
  server: Server,
  { host, port, backlog }: { host: string; port: number; backlog?: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(backlog === undefined ? { host, port } : { host, port, backlog }, () => {
      server.off('error', reject)
      // An error after binding means that one connection could not be accepted (too many open files). The server continues.
      server.on('error', () => {})
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}

/**
 * Returns the error for a server that could not be bound; undefined if the error of `listen` is not about the address.
 * @param prefix the prefix of the options with which the address was chosen
 */
export function whyNotBound(
  error: unknown,
  { host, port }: { host: string; port: number },
  prefix: '' | 'metrics-' = '',
  system: string = platform(),
): [message: string, hint: string, code: string] | undefined {
  const { code, syscall }: { code?: string; syscall?: string } = Object(error)
  switch (code) {
    case 'EADDRINUSE':
      return [
        `port ${port} on ${host} is taken`,
        `Choose another port with --${prefix}port N, or any free port with --${prefix}port 0.`,
        'PORT_TAKEN',
      ]
    case 'EACCES':
      if (system === 'win32')
        return [
          `Windows does not let programs open port ${port}`,
          `Choose another port with --${prefix}port N, or any free port with --${prefix}port 0. To see which ports are reserved: netsh int ipv4 show excludedportrange tcp`,
          'PORT_REFUSED',
        ]
      return [
        `this user has no permission to open port ${port}`,
        `Choose a port above 1023 with --${prefix}port N.`,
        'PORT_REFUSED',
      ]
    default:
      // `getaddrinfo` resolves a host name, and `listen` binds its address. Any other failure of these two means that the host is not an
      // address of this machine.
      if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
      return [
        `${host} is not an address of this machine (${code})`,
        `Remove --${prefix}host to listen on 127.0.0.1.`,
        'BAD_HOST',
      ]
  }
}
