import type { RequestOptions } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { WireFailure } from '../contract/wire.ts'
import { isLoopback, misreading } from '../domain/origin.ts'
import { config } from '../errors.ts'
import { wireFailureFrom } from './wire-failure.ts'

type Env = Readonly<Record<string, string | undefined>>

interface ProxyServer {
  url: URL
  /** The name for messages, without user and password: `proxy.example:3128`. */
  name: string
  authorization: string | undefined
}

/**
 * Returns the proxy for an address, or undefined for a direct connection. The proxy in https_proxy is used for https addresses of other
 * machines, except those that no_proxy lists. As in curl, lower-case names take precedence. `ALL_PROXY` is not
 * read, because it usually names a SOCKS proxy, and `HTTP_PROXY` is not, because plain http is used only on this machine. Throws `config` if the proxy's address is not
 * valid, because otherwise requests would silently bypass the proxy.
 */
export function proxyFor(address: URL, env: Env): ProxyServer | undefined {
  const text = (env.https_proxy ?? env.HTTPS_PROXY)?.trim()
  if (!text || address.protocol !== 'https:' || isLoopback(address.hostname)) return undefined
  const misread = misreading(text)
  if (misread !== undefined) throw misreadProxy(misread)
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw unreadable(
      'HTTPS_PROXY is not the address of an http or https proxy',
      'Write it as http://proxy.example:3128, or unset HTTPS_PROXY.',
    )
  }
  if (url.search !== '' || url.hash !== '')
    throw misreadProxy('it has a “?” or “#”, which the address of a proxy cannot have')
  const authorization = authorizationOf(url)
  if (isExcepted(address, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  return { url, name: `${url.hostname}:${portOf(url)}`, authorization }
}

/** Returns the host of an address, without the brackets around an IPv6 address. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/[[\]]/g, '')

/** Returns the port of an address, or the default port of its protocol. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  } catch {
    throw unreadable(
      'the percent-encoding of the user or password in HTTPS_PROXY is wrong',
      'Write a percent sign as %25, and other special characters in the same way.',
    )
  }
}

const misreadProxy = (reason: string) =>
  unreadable(
    `the address in HTTPS_PROXY would be read otherwise than it was meant: ${reason}`,
    'Write it as http://user:password@proxy.example:3128, with special characters in the user and the password percent-encoded.',
  )

/** Returns the error for a proxy that cannot be used. It does not contain the address of the proxy, which may contain a password. */
const unreadable = (message: string, hint: string) => config(message, `${hint} Nothing was sent.`, 'BAD_PROXY')

/**
 * Whether the NO_PROXY list contains an address. The items of the list are `*`, a name with its subdomains (`example.com`, `.example.com`),
 * only the subdomains (`*.example.com`), or an IP address, each with or without a port, separated by commas or spaces.
 */
export function isExcepted(address: URL, list: string): boolean {
  const host = withoutDot(bareHost(address))
  return list
    .toLowerCase()
    .split(/[\s,]/)
    .some((entry) => {
      const { name, port } = entryOf(entry)
      if (port !== undefined && Number(port) !== portOf(address)) return false
      if (name === '*') return true
      const base = name.replace(/^\*?\./, '')
      return host.endsWith(`.${base}`) || (host === base && !name.startsWith('*'))
    })
}

function entryOf(entry: string): { name: string; port: string | undefined } {
  const [, bracketed, itsPort] = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { name: bracketed, port: itsPort }
  const [name = '', port, ...more] = entry.split(':')
  return more.length > 0 ? { name: entry, port: undefined } : { name: withoutDot(name), port }
}

const withoutDot = (name: string) => name.replace(/(.)\.$/, '$1')

/**
 * Asks a proxy (CONNECT) for a connection to a server. The proxy sees only the server's name and port. If this fails, throws a `WireFailure`
 * that names the proxy, and nothing was sent to the server.
 * @param signal ends the attempt to connect
 */
export async function openTunnel(
  proxy: ProxyServer,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<Socket> {
  const { url, authorization } = proxy
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const proxyHost = bareHost(url)
  const options: RequestOptions = {
    method: 'CONNECT',
    host: proxyHost,
    // Without this, Node would check the proxy's certificate against the name in the Host header, which is the server's name.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: portOf(url),
    path: authority,
    headers: { host: authority, ...(authorization && { 'proxy-authorization': authorization }) },
    agent: false,
    ...(signal && { signal }),
  }
  return new Promise((resolve, reject) => {
    const call = request(options)
    call.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.on('error', () => {}).destroy()
        return reject(refusal(proxy, statusCode))
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    call.on('error', (error) => reject(onTheWay(proxy, error)))
    call.end()
  })
}

const refusal = ({ name }: ProxyServer, status: number) =>
  new WireFailure('proxy', false, `status ${status}`, undefined, { proxy: { name, status } })

/** Returns a failure that names the proxy. If the proxy broke the connection, the failure's kind is `proxy`, and the call is not repeated. */
function onTheWay({ name }: ProxyServer, error: unknown): WireFailure {
  const { kind, message } = wireFailureFrom(error, false)
  return new WireFailure(kind === 'reset' || kind === 'garbled' ? 'proxy' : kind, false, message, error, {
    proxy: { name },
  })
}
