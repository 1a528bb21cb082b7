import { createServer, type Socket } from 'node:net'
import { config } from '../errors.ts'
import { bind, whyNotBound } from './address.ts'
import type { Door } from './door.ts'
import { namesOfHost, type OwnNames } from './own-host.ts'

interface Served {
  /** Ends the connection as soon as nothing is in progress on it. */
  finish(): void
  /** Called before the connection is cut off. */
  cut(): void
}

interface ByteDoorPlan {
  host: string
  port: number
  /** Serves a connection. This function must set all limits and send all answers, because the TCP server does neither. */
  serve(socket: Socket, names: OwnNames): Served
}

/**
 * Opens a TCP server. Throws `config` when the address cannot be bound.
 * Node's HTTP server is not used, because it does not pass on the original bytes of headers and chunks.
 */
export async function openByteDoor({ host, port, serve }: ByteDoorPlan): Promise<Door> {
  const open = new Map<Socket, Served>()
  const names: OwnNames = { port, hosts: namesOfHost(host, []) }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.set(socket, serve(socket, names))
    socket.once('close', () => open.delete(socket))
  })
  names.port = await bind(server, { host, port }).catch((error: unknown) => {
    const why = whyNotBound(error, { host, port })
    throw why ? config(...why) : error
  })
  const cutAll = () => {
    for (const [socket, served] of [...open]) {
      served.cut()
      socket.destroy()
    }
  }
  return {
    port: names.port,
    connections: () => open.size,
    async close(cut) {
      // Node reports a server as closed before its last sockets report that they are closed.
      const ends = [...open.keys()].map(
        (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      )
      const end = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const each of [...open.values()]) each.finish()
      if (cut === undefined || cut.aborted) cutAll()
      else cut.addEventListener('abort', cutAll, { once: true })
      await Promise.all([end, ...ends])
    },
  }
}
