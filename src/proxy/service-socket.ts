import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { bareHost, portOf, proxyFor } from '../client/proxy.ts'
import { openTunnel } from '../client/tunnel.ts'

/**
 * Returns a socket that is connected to the service, through the proxy that the environment names, if any. For an https address, the
 * certificate of the service is checked. Rejects with the error of the socket, or with a `WireFault` of the proxy.
 */
export async function connectToService(
  base: URL,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Socket> {
  const [host, port] = [bareHost(base), portOf(base)]
  const proxy = proxyFor(base, env)
  const tunnel = proxy && (await openTunnel(proxy, host, port, signal))
  if (base.protocol === 'http:') return connected(connectTcp({ host, port, noDelay: true }), 'connect', signal)
  const socket = connectTls({
    ...(tunnel ? { socket: tunnel } : { host, port }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
  return connected(socket, 'secureConnect', signal)
}

function connected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const leave = () => socket.destroy(signal.reason)
    const failed = (error: Error) => {
      signal.removeEventListener('abort', leave)
      reject(error)
    }
    const closed = () => failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    socket.once('error', failed)
    socket.once('close', closed)
    socket.once(event, () => {
      socket.off('error', failed)
      socket.off('close', closed)
      signal.removeEventListener('abort', leave)
      socket.setNoDelay(true)
      resolve(socket)
    })
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
