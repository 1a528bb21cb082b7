import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { config } from '../errors.ts'
import { whyNotBound } from './address.ts'
import { type BindAddress, bind } from './bind.ts'
import { hostsOf, type OwnNames, refuseHost } from './own-host.ts'
import { onRequests } from './requests.ts'

/** A request to one of our servers, before its body is read. */
export interface HttpVisit {
  request: IncomingMessage
  response: ServerResponse
  /** The status with which its `Host` is refused; 0 for one of our own names. */
  hostRefusal: 0 | 400 | 421
  /** Tells a client that sent `Expect: 100-continue` to send its body; does nothing for other clients. */
  proceed(): void
}

/** Where a server listens, and its limits for clients. Times in ms. */
interface DoorPlan extends BindAddress {
  /** Further names of the server, besides those of the loopback interface. */
  hosts: readonly string[]
  limits: {
    /** The time from the start of a request to the end of its head. */
    headersMs: number
    /** The time from the start of a request to the end of its body. */
    requestMs: number
    /** The time between two checks for slow clients. */
    checkMs: number
    keepAliveMs: number
    headBytes: number
    /** The most connections at a time; a further one replaces the oldest. Without it there is no limit. */
    connections?: number
  }
  /** The prefix of the options that chose the address (`--port` or `--metrics-port`), for errors; undefined if no option chose it. */
  optionPrefix?: '' | 'metrics-'
  handle(visit: HttpVisit): void
  /** Answers a client that is too slow or does not speak HTTP. Without it Node answers. */
  onClientError?(code: string, socket: Socket): void
  /** Gets the errors that `handle` throws; the connection is then closed. */
  onFault(error: unknown): void
}

/** A server that listens. */
export interface Door {
  port: number
  /** Connections that are open now. */
  connections(): number
  /** Stops accepting. Answers in progress may finish until `cut` is aborted; without `cut` they are cut off at once. */
  close(cut?: AbortSignal): Promise<void>
}

/**
 * Opens an HTTP server; every server of this program is opened here. Throws `config` when the address cannot be bound; if no option chose
 * the address, it throws the error of `listen`.
 */
export async function openDoor(plan: DoorPlan): Promise<Door> {
  const { limits } = plan
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headBytes,
  })
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [oldest] = open
    if (open.size > (limits.connections ?? Infinity)) oldest?.destroy()
  })
  const names: OwnNames = { port: plan.port, hosts: plan.hosts }
  admit(server, plan, names)
  const { host, port, backlog } = plan
  names.port = await bind(server, backlog === undefined ? { host, port } : { host, port, backlog }).catch(
    (error: unknown) => {
      const why = plan.optionPrefix === undefined ? undefined : whyNotBound(error, plan, plan.optionPrefix)
      throw why ? config(...why) : error
    },
  )
  return {
    port: names.port,
    connections: () => open.size,
    close: (cut) =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        if (cut === undefined || cut.aborted) server.closeAllConnections()
        else cut.addEventListener('abort', () => server.closeAllConnections(), { once: true })
      }),
  }
}

/** Checks the `Host` of every request and passes the request to the handler. */
function admit(server: Server, { handle, onClientError, onFault }: DoorPlan, names: OwnNames): void {
  onRequests(
    server,
    (request, response, proceed) =>
      handle({ request, response, proceed, hostRefusal: refuseHost(hostsOf(request.rawHeaders), names) }),
    onFault,
  )
  if (onClientError)
    server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => onClientError(code, socket))
}
