import { createServer, type Socket } from 'node:net'
import { config } from '../errors.ts'
import { whyNotBound } from './address.ts'
import { bind } from './bind.ts'
import type { Door } from './door.ts'
import { namesOfHost, type OwnNames } from './own-host.ts'

/** One connection, by what is done with it. */
interface Served {
  /** Ends it as soon as nothing is under way on it. */
  finish(): void
}

interface ByteDoorPlan {
  host: string
  port: number
  /** Takes a connection. Every byte is its own: there is no limit and no answer of the door. @param names of the server */
  serve(socket: Socket, names: OwnNames): Served
}

/**
 * Opens a server of plain connections, for what must pass unchanged: Node's HTTP server would write heads and chunks in its own way. Throws
 * `config` when the address cannot be bound.
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
