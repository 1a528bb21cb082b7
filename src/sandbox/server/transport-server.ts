import { createServer, type Server } from 'node:http'
import type { Transport } from '../../contract/wire.ts'
import { config } from '../../errors.ts'
import { hostInUrl, isAllInterfaces, shownHost, whyNotBound } from '../../http/address.ts'
import { bind } from '../../http/bind.ts'
import { onRequests } from '../../http/requests.ts'
import { answerExchange, type ExchangeEnd } from './exchange.ts'
import { ANY } from './gate.ts'

/** Times in ms, sizes in bytes. */
interface ServerLimits {
  /** The size of all headers together. A browser sends the cookies of every port of a host: up to 180 cookies of 4 kB each. */
  headBytes: number
  bodyBytes: number
  /** The time from the start of the connection, or the end of the previous answer, to the last header. */
  headersMs: number
  /** The time until the last byte of the body. */
  requestMs: number
  /** How long answers in progress may take after the server closes. */
  drainMs: number
}

/** The limits of a server unless others are given. */
export const SERVER_LIMITS: ServerLimits = {
  headBytes: 1024 * 1024,
  bodyBytes: 1024 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  drainMs: 3_000,
}

export interface TransportServerOptions {
  /** Interface to bind. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** More names of this server, as `name` or `name:port`. */
  allowHosts?: readonly string[]
  limits?: ServerLimits
  /** Called when a request was answered or cut. */
  onEnd?(end: ExchangeEnd): void
  /** Called with the error of the transport; the client gets a plain 500. */
  onFault(error: unknown): void
}

export interface TransportServer {
  /** The address as a client on this machine writes it, without a slash at the end. */
  baseUrl: string
  port: number
  /** Answers with `transport` from now on, including the waiting requests. */
  answerWith(transport: Transport): void
  /**
   * Accepts no more requests, lets answers in progress finish within `drainMs`, and closes the other connections. When it resolves, the port
   * is free.
   */
  close(): Promise<void>
}

/**
 * Serves a `Transport` over HTTP: bytes in, bytes out, no CORS, no header that names the program.
 * Throws `config` when the address cannot be bound.
 */
export async function startTransportServer(options: TransportServerOptions): Promise<TransportServer> {
  const { host, limits = SERVER_LIMITS } = options
  const ready = Promise.withResolvers<Transport>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(500, limits.headersMs / 4),
    keepAliveTimeout: 5_000,
    maxHeaderSize: limits.headBytes,
  })
  const port = await bind(server, { host, port: options.port }).catch((error: unknown) => {
    const why = whyNotBound(error, options)
    throw why ? config(...why) : error
  })
  const { onEnd, onFault } = options
  const site = {
    gate: { port, names: namesOf(options) },
    bodyBytes: limits.bodyBytes,
    closing: closing.signal,
    transport: ready.promise,
    onEnd,
    onFault,
  }
  onRequests(server, (request, response, proceed) => void answerExchange({ request, response, proceed }, site), onFault)
  return {
    port,
    baseUrl: `http://${shownHost(host)}:${port}`,
    answerWith: ready.resolve,
    close() {
      closed ??= end(server, closing, limits.drainMs)
      return closed
    },
  }
}

async function end(server: Server, closing: AbortController, drainMs: number): Promise<void> {
  closing.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearTimeout(cut)
}

function namesOf({ host, allowHosts = [] }: TransportServerOptions): string[] {
  return [isAllInterfaces(host) ? ANY : hostInUrl(host), ...allowHosts.map((name) => name.toLowerCase())]
}
