import type { RequestOptions } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { WireFault } from '../contract/wire.ts'
import { faultFrom } from './fault.ts'
import { bareHost, type ProxyServer, portOf } from './proxy.ts'

/**
 * Asks a proxy (CONNECT) for a connection to a server. The proxy sees only the server's name and port. If this fails, throws a `WireFault`
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
  new WireFault('proxy', false, `status ${status}`, undefined, { proxy: { name, status } })

/** Returns a fault that names the proxy. If the proxy broke the connection, the fault's kind is `proxy`, and the call is not repeated. */
function onTheWay({ name }: ProxyServer, error: unknown): WireFault {
  const { kind, message } = faultFrom(error, false)
  return new WireFault(kind === 'reset' || kind === 'garbled' ? 'proxy' : kind, false, message, error, {
    proxy: { name },
  })
}
