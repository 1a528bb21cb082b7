import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a server that can get stuck: every connection stays open, and no byte passes in either direction. */
export interface StuckProxy extends AsyncDisposable {
  port: number
  freeze(): void
  /** Passes on the bytes that arrived meanwhile, and all later ones. */
  thaw(): void
}

/** Starts the proxy. @param to the server's port on 127.0.0.1 */
export async function startStuckProxy(to: number): Promise<StuckProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    if (isFrozen) socket.pause()
  }
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1')
    for (const [from, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => other.write(chunk))
      from.once('close', () => other.destroy())
      keep(from)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
