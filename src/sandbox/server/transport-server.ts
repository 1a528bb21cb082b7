import type { Transport } from '../../contract/wire.ts'
import { hostInUrl, isAllInterfaces, shownHost } from '../../http/address.ts'
import { createBodyReader } from '../../http/body.ts'
import { openDoor } from '../../http/door.ts'
import { answerExchange, type ExchangeEnd } from './exchange.ts'

/** The limits of a server. Times are in ms, sizes in bytes. */
interface ServerLimits {
  /** The limit for all headers together. A browser sends the cookies of every port of a host, which can be 180 cookies of 4 kB each. */
  headBytes: number
  bodyBytes: number
  /** The longest time from the start of the connection, or from the end of the previous answer, to the last header. */
  headersMs: number
  /** The longest time from the start of the connection, or from the end of the previous answer, to the last byte of the body. */
  requestMs: number
  drainMs: number
}

export const SERVER_LIMITS: ServerLimits = {
  headBytes: 1024 * 1024,
  bodyBytes: 1024 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  drainMs: 3_000,
}

export interface TransportServerOptions {
  host: string
  /** 0 for any free port. */
  port: number
  /** Additional names of this server, as `name` or `name:port`. */
  allowHosts?: readonly string[]
  limits?: ServerLimits
  onEnd?(end: ExchangeEnd): void
  /** Called with an error of the transport. The client gets a plain 500. */
  onFault(error: unknown): void
}

export interface TransportServer {
  /** Without a slash at the end. */
  baseUrl: string
  port: number
  /** Answers every request with `transport`, including the requests that already wait. */
  answerWith(transport: Transport): void
  /** Accepts no more requests, and closes every connection after at most `drainMs`. When this resolves, the port is free. */
  close(): Promise<void>
}

/**
 * Serves a `Transport` over HTTP, without CORS headers, so that pages of other sites cannot read the answers. Throws `config` when the
 * address cannot be bound.
 */
export async function startTransportServer(options: TransportServerOptions): Promise<TransportServer> {
  const { host, limits = SERVER_LIMITS, onEnd, onFault } = options
  const ready = Promise.withResolvers<Transport>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  const bodies = createBodyReader({ mostBytes: limits.bodyBytes, budgetBytes: Number.POSITIVE_INFINITY })
  const site = { bodies, closing: closing.signal, transport: ready.promise, onEnd, onFault }
  const door = await openDoor({
    host,
    port: options.port,
    hosts: namesOf(options),
    // A browser leaves out port 80 in `Host` and in `Origin`.
    defaultPort: 80,
    limits: {
      headersMs: limits.headersMs,
      requestMs: limits.requestMs,
      checkMs: Math.min(500, limits.headersMs / 4),
      keepAliveMs: 5_000,
      headBytes: limits.headBytes,
    },
    optionPrefix: '',
    handle: (visit) => void answerExchange(visit, site),
    onFault,
  })
  return {
    port: door.port,
    baseUrl: `http://${shownHost(host)}:${door.port}`,
    answerWith: ready.resolve,
    close() {
      closing.abort()
      closed ??= door.close(AbortSignal.timeout(limits.drainMs))
      return closed
    },
  }
}

/**
 * Returns the names of this server. A name without a port is valid only with the server's own port, because another port on the same host
 * is another site.
 */
function namesOf({ host, allowHosts = [] }: TransportServerOptions): string[] {
  const added = allowHosts.map((name) => name.toLowerCase()).map((name) => (/:\d+$/.test(name) ? name : `${name}:own`))
  return [isAllInterfaces(host) ? '*' : `${hostInUrl(host)}:own`, ...added]
}
