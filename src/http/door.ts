import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { config } from '../errors.ts'
import { whyNotBound } from './address.ts'
import { bind } from './bind.ts'
import { hostsOf } from './headers.ts'
import { isOwnHost, type OwnNames, refuseHost } from './own-host.ts'

/** A request to one of our servers, before its body is read. */
export interface HttpVisit {
  request: IncomingMessage
  response: ServerResponse
  /** The status with which the request's `Host` is refused; 0 if it is one of our own names. */
  hostRefusal: 0 | 400 | 421
  /** Whether a host, such as that of an `Origin`, names this server. */
  isOwnHost(given: string): boolean
  /** Tells a client that asked first (`Expect: 100-continue`) to send its body. Does nothing for other clients. */
  proceed(): void
}

/** Where a server listens, and its limits for clients. Times in ms. */
interface DoorPlan extends Omit<OwnNames, 'port'> {
  host: string
  /** The port; 0 for any free port. */
  port: number
  /** How many connections may wait in the system until they are accepted. */
  backlog?: number
  limits: {
    /** The time from the start of a request to the end of its head. */
    headersMs: number
    /** The time from the start of a request to the end of its body. */
    requestMs: number
    /** The time between two checks for slow clients. */
    checkMs: number
    keepAliveMs: number
    headBytes: number
    /** The maximum number of connections. A further connection replaces the oldest. Without this field there is no limit. */
    connections?: number
  }
  /** The prefix of the options that chose the address (`--port` or `--metrics-port`), for errors; undefined if no option chose it. */
  optionPrefix?: '' | 'metrics-'
  handle(visit: HttpVisit): void
  /** Answers a client that is too slow or does not speak HTTP. Without this function, Node answers. */
  onClientError?(code: string, socket: Socket): void
  /** Called with errors that `handle` throws; the connection is then closed. */
  onFault(error: unknown): void
}

/** A server that listens. */
export interface Door {
  port: number
  /** How many connections are open now. */
  connections(): number
  /** Stops accepting connections. Answers in progress may finish until `cut` is aborted. Without `cut`, they are cut off at once. */
  close(cut?: AbortSignal): Promise<void>
}

/**
 * Opens an HTTP server. Every HTTP server of this program is opened here. Throws `config` when the address cannot be bound. If no option
 * chose the address, throws the error of `listen`.
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
  const names: OwnNames = { port: plan.port, hosts: plan.hosts, defaultPort: plan.defaultPort }
  admit(server, plan, names)
  names.port = await bind(server, plan).catch((error: unknown) => {
    const why = plan.optionPrefix === undefined ? undefined : whyNotBound(error, plan, plan.optionPrefix)
    throw why ? config(...why) : error
  })
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

/**
 * Passes every request to the handler, with the result of checking its `Host`. This includes requests with `Expect: 100-continue`.
 * Otherwise Node itself would answer `100 Continue`, and a client that will be refused would send its whole body first.
 */
function admit(server: Server, { handle, onClientError, onFault }: DoorPlan, names: OwnNames): void {
  const isOwn = (given: string) => isOwnHost(given, names)
  const visit = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => {
    try {
      const hostRefusal = refuseHost(hostsOf(request.rawHeaders), names)
      handle({ request, response, hostRefusal, isOwnHost: isOwn, proceed })
    } catch (error) {
      onFault(error)
      request.socket.destroy()
    }
  }
  server.on('request', (request, response) => visit(request, response, () => {}))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    visit(request, response, () => response.writeContinue()),
  )
  if (onClientError)
    server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => onClientError(code, socket))
}
