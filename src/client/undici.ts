import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { type Transport, WireFault, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { isLoopback } from '../domain/origin.ts'
import { faultFrom } from './fault.ts'

export interface NetworkOptions {
  /** Proxy settings of the environment; an https address goes through HTTPS_PROXY by CONNECT, loopback never. */
  env: Readonly<Record<string, string | undefined>>
  /** Connections kept to one origin. */
  connections?: number
}

export interface Network {
  transport: Transport
  /** Closes idle connections at once, so that the program can end. */
  close(): Promise<void>
}

/** The network as a `Transport`: no redirect is followed, the whole answer has one deadline and one size limit. */
export function createNetwork(options: NetworkOptions): Network {
  const pools = new Map<string, Connections>()
  const pool = (origin: URL): Dispatcher => {
    const known = pools.get(origin.origin)
    if (known) return known.dispatcher
    const made = connectionsTo(origin, options)
    pools.set(origin.origin, made)
    return made.dispatcher
  }
  return {
    async transport(request) {
      const url = new URL(request.url)
      if (!request.freshSocket) return exchange(pool(url), url, request)
      const once = connectionsTo(url, options)
      try {
        return await exchange(once.dispatcher, url, request)
      } finally {
        // Not awaited: a destroyed socket must not delay the answer.
        void once.destroy()
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((each) => each.destroy()))
    },
  }
}

interface Connections {
  dispatcher: Dispatcher
  destroy(): Promise<void>
}

/** What undici destroys are the connections that stand; one that is still being made would keep the program alive, so it has a signal. */
function connectionsTo(origin: URL, options: NetworkOptions): Connections {
  const end = new AbortController()
  const dispatcher = dispatcherFor(origin, options, end.signal)
  return {
    dispatcher,
    destroy() {
      const destroyed = dispatcher.destroy()
      end.abort()
      return destroyed
    },
  }
}

function dispatcherFor(origin: URL, { env, connections }: NetworkOptions, signal: AbortSignal): Dispatcher {
  const proxy = env.HTTPS_PROXY ?? env.https_proxy
  const common = {
    connections: connections ?? null,
    pipelining: 1,
    maxHeaderSize: 32_768,
    // The type leaves out what the sockets of the runtime take.
    connect: { timeout: 0, signal } as { timeout: number },
    allowH2: false,
  }
  if (origin.protocol !== 'https:' || !proxy || isLoopback(origin.hostname)) return new Pool(origin.origin, common)
  return new EnvHttpProxyAgent({
    ...common,
    httpsProxy: proxy,
    httpProxy: '',
    noProxy: env.NO_PROXY ?? env.no_proxy ?? '',
    connectTimeout: 0,
    proxyTls: { signal } as object,
    requestTls: { signal } as object,
  })
}

const WAITING = new WeakMap<AbortSignal, Set<() => void>>()

/** The exchanges that a signal ends: one listener for all of them, because adding and removing one for each costs as much as the rest. */
function waitingOn(signal: AbortSignal): Set<() => void> {
  const known = WAITING.get(signal)
  if (known) return known
  const waiting = new Set<() => void>()
  WAITING.set(signal, waiting)
  signal.addEventListener('abort', () => {
    for (const end of waiting) end()
  })
  return waiting
}

function exchange(dispatcher: Dispatcher, url: URL, request: WireRequest): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let sent = false
    let over: WireFault | undefined
    let status = 0
    let headers: Record<string, string> = {}
    const chunks: Uint8Array[] = []
    let size = 0

    const finish = () => {
      clearTimeout(timer)
      if (request.signal) waitingOn(request.signal).delete(interrupted)
    }
    const stop = (fault: WireFault) => {
      if (over) return
      over = fault
      finish()
      reject(fault)
      controller?.abort(fault)
    }
    const interrupted = () => stop(new WireFault('aborted', sent, 'interrupted', request.signal?.reason))
    const timer = setTimeout(
      () => stop(new WireFault('timeout', sent, `no whole answer within ${request.timeoutMs} ms`)),
      request.timeoutMs,
    )
    if (request.signal?.aborted) return interrupted()
    if (request.signal) waitingOn(request.signal).add(interrupted)

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body && request.body.length > 0 ? request.body : null,
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(request.freshSocket ? { reset: true } : {}),
      },
      {
        // Called when the connection stands, just before the first byte is written: from here on the call counts as sent.
        onRequestStart(given) {
          controller = given
          if (over) return given.abort(over)
          sent = true
        },
        onResponseStart(_, statusCode, given) {
          status = statusCode
          headers = flatten(given)
          if (Number(headers['content-length']) > request.maxBytes) stop(tooLarge(request.maxBytes))
        },
        onResponseData(_, chunk) {
          size += chunk.length
          if (size > request.maxBytes) stop(tooLarge(request.maxBytes))
          else chunks.push(chunk)
        },
        onResponseEnd() {
          if (over) return
          finish()
          resolve({ status, headers, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
        },
        onResponseError(_, error) {
          stop(faultFrom(error, sent))
        },
      },
    )
  })
}

const tooLarge = (maxBytes: number) => new WireFault('too-large', true, `the answer is larger than ${maxBytes} bytes`)

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
