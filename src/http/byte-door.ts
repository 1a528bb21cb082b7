import { createServer, type Socket } from 'node:net'
import { config } from '../errors.ts'
import { whyNotBound } from './address.ts'
import { bind } from './bind.ts'
import type { Door } from './door.ts'
import { namesOfHost, type OwnNames } from './own-host.ts'

/** One connection that is being served. */
interface Served {
  /** Ends the connection as soon as nothing is in progress on it. */
  finish(): void
}

interface ByteDoorPlan {
  host: string
  port: number
  /**
   * Serves a connection. This function must handle every byte, because the server itself sets no limits and sends no answers. @param names
   * the names of this server
   */
  serve(socket: Socket, names: OwnNames): Served
}

/**
 * Opens a server for plain connections, whose bytes must be passed on unchanged. (Node's HTTP server would write heads and chunks in its
 * own way.) Throws `config` when the address cannot be bound.
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
    for (const socket of [...open.keys()]) socket.destroy()
  }
  return {
    port: names.port,
    connections: () => open.size,
    close: (cut) =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const each of [...open.values()]) each.finish()
        if (cut === undefined || cut.aborted) cutAll()
        else cut.addEventListener('abort', cutAll, { once: true })
      }),
  }
}
