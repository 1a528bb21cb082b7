import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLoopback } from '../domain/addresses.ts'
import { config } from '../errors.ts'
import { bind, hostInUrl, isAllInterfaces, whyNotBound } from './address.ts'
import { hostsOf } from './request.ts'

export interface HttpVisit {
  request: IncomingMessage
  response: ServerResponse
  /** The status with which the request is refused because of its `Host`; 0 if the `Host` is allowed. */
  hostRefusal: 0 | 400 | 421
  isOwnHost(given: string): boolean
  /** Answers `100 Continue` to a client that waits for this before it sends the body. Does nothing for other clients. */
  proceed(): void
}

interface DoorPlan extends Omit<OwnNames, 'port'> {
  host: string
  /** 0 for any free port. */
  port: number
  backlog?: number
  limits: {
    headersMs: number
    requestMs: number
    checkMs: number
    keepAliveMs: number
    headBytes: number
    /** The maximum number of connections. A further connection replaces the oldest. Without this field there is no limit. */
    connections?: number
  }
  /** The prefix of the options that chose the address (`--port` or `--metrics-port`), for errors; undefined if no option chose it. */
  optionPrefix?: '' | 'metrics-'
  handle(visit: HttpVisit): void
  /**
   * Answers a client that is too slow or does not speak HTTP. Without this function, Node answers.
   * @param bytes the bytes in which the error was found
   */
  onClientError?(code: string, socket: Socket, bytes: Buffer): void
  /** Answers a CONNECT request. Without this function, Node closes the connection. */
  onConnect?(socket: Duplex): void
  onError(error: unknown): void
}

export interface Door {
  port: number
  connections(): number
  /** Stops accepting connections. Answers in progress may finish until `cut` is aborted. Without `cut`, they are cut off at once. */
  close(cut?: AbortSignal): Promise<void>
}

/** Opens an HTTP server. Throws `config` when the address cannot be bound, or the error of `listen` if no option chose the address. */
export async function openDoor(plan: DoorPlan): Promise<Door> {
  const { limits } = plan
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headBytes,
  })
  forgiveHoldUps(server, limits)
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
 * Makes Node skip one search for slow clients after the process was held up (the machine slept, the process was stopped, or it was busy).
 * Node runs its timers before it reads from sockets, so it would cut clients whose requests have long arrived.
 */
function forgiveHoldUps(server: Server, { headersMs, requestMs, checkMs }: DoorPlan['limits']): void {
  let searchedAt = performance.now()
  let isHeldUp = false
  // Node reads these properties several times at the begin of each search. 0 means that there is no limit.
  const unlessHeldUp = (limitMs: number) => () => {
    const sinceMs = performance.now() - searchedAt
    if (sinceMs > checkMs / 2) {
      isHeldUp = sinceMs > 2 * checkMs
      searchedAt += sinceMs
    }
    return isHeldUp ? 0 : limitMs
  }
  Object.defineProperties(server, {
    headersTimeout: { get: unlessHeldUp(headersMs) },
    requestTimeout: { get: unlessHeldUp(requestMs) },
  })
}

/**
 * Passes every request to the handler, including requests with `Expect: 100-continue`. Otherwise, Node would answer `100 Continue`, and a
 * client would send its whole body before the handler can refuse the request.
 */
function admit(server: Server, { handle, onClientError, onConnect, onError }: DoorPlan, names: OwnNames): void {
  const isOwn = (given: string) => isOwnHost(given, names)
  // Clients send the same `Host` again and again, so the last one that was allowed is not read again.
  let allowed: string | undefined
  const refusalOf = (hosts: readonly string[]): HttpVisit['hostRefusal'] => {
    if (hosts.length === 1 && hosts[0] === allowed) return 0
    const refusal = refuseHost(hosts, names)
    if (refusal === 0) allowed = hosts[0]
    return refusal
  }
  const visit = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => {
    try {
      const hostRefusal = refusalOf(hostsOf(request.rawHeaders))
      handle({ request, response, hostRefusal, isOwnHost: isOwn, proceed })
    } catch (error) {
      onError(error)
      request.socket.destroy()
    }
  }
  server.on('request', (request, response) => visit(request, response, () => {}))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    visit(request, response, () => response.writeContinue()),
  )
  if (onConnect) server.on('connect', (_, socket) => onConnect(socket.on('error', () => {})))
  if (onClientError)
    server.on('clientError', ({ code = '', rawPacket = NOTHING }: ParseError, socket: Socket) =>
      onClientError(code, socket, rawPacket),
    )
}

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer }

const NOTHING = Buffer.alloc(0)

/**
 * Closes a connection with a reset. A connection that is already ending is closed without one, because Node would never close it then, and
 * would use a whole core instead of ending the process.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** The names under which clients may reach a server. The names of the loopback interface are always allowed. */
export interface OwnNames {
  port: number
  /**
   * The names, in lower case. `name` is valid with any port, `name:8080` only with port 8080, `name:own` only with the server's own port.
   * `*` means every IP address with the server's own port.
   */
  hosts: readonly string[]
  /** The port that a `Host` without a port means: 80 in HTTP. Without this field, the server's own port is assumed. */
  defaultPort?: number | undefined
}

/**
 * Returns the names of a server that is bound to `host`.
 * @param more further names, in lower case
 */
export const namesOfHost = (host: string, more: readonly string[]): string[] => [
  isAllInterfaces(host) ? '*' : hostInUrl(host),
  ...more,
]

/**
 * Returns the status with which a request is refused because of its `Host`; 0 if the `Host` is allowed.
 * A foreign name is refused with 421, because another site may have pointed its name at this machine (DNS rebinding). Two `Host` headers
 * are refused with 400, because a proxy may have checked only one of them.
 */
export function refuseHost(hosts: readonly string[], names: OwnNames): 0 | 400 | 421 {
  if (hosts.length > 1) return 400
  return isOwnHost(hosts[0], names) ? 0 : 421
}

/** Whether a host from a `Host` or `Origin` header names this server. */
export function isOwnHost(given: string | undefined, { port, hosts, defaultPort }: OwnNames): boolean {
  const parsed = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(given?.toLowerCase() ?? '')
  if (!parsed) return false
  const [, name = '', digits] = parsed
  const asked = digits === undefined ? defaultPort : Number(digits)
  // If `hosts` contains the name without a port, accept any port, because a proxy or a tunnel in front of the server may have its own port.
  if (hosts.includes(name) || hosts.includes(`${name}:${asked}`)) return true
  if (asked !== undefined && asked !== port) return false
  if (isLoopback(name) || hosts.includes(`${name}:own`)) return true
  return hosts.includes('*') && isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
