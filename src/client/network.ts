import type { RequestOptions } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type BodySink, type Download, type Transport, WireFailure, type WireRequest } from '../contract/wire.ts'
import { isLoopback, misreading } from '../domain/addresses.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import { config } from '../errors.ts'
import { startDeadline } from '../lifetime.ts'
import { wireFailureFrom } from './wire-failure.ts'

interface NetworkOptions {
  env: Readonly<Record<string, string | undefined>>
}

interface Network {
  transport: Transport
  /**
   * Closes the shared connections, so that the program can end, and interrupts the calls that use them. A call with `freshSocket` has its
   * own connection and still gets its answer. A later call opens new connections.
   */
  close(): Promise<void>
}

/** Creates a `Transport` over the network. Redirects are not followed. One deadline and one size limit apply to the whole answer. */
export function createNetwork({ env }: NetworkOptions): Network {
  let shared: Connections | undefined
  return {
    async transport(request) {
      const { maxBytes, freshSocket } = request
      const url = new URL(request.url)
      // An invalid address of the proxy must end the call before anything is sent.
      proxyFor(url, env)
      shared ??= openConnections(env)
      const connections = freshSocket ? openConnections(env) : shared
      const body = new BodyBytes()
      let head = { status: 0, headers: {} as Record<string, string> }
      const taker: AnswerTaker = {
        head(status, headers) {
          head = { status, headers }
          if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes, status)
        },
        data(chunk) {
          body.add(chunk)
          if (body.size > maxBytes) throw tooLarge(maxBytes, head.status)
        },
      }
      try {
        await exchange(connections.agent, url, request, env, taker)
      } finally {
        // Do not wait until the connection is closed, because waiting would delay the answer.
        if (freshSocket) void connections.destroy()
      }
      // undici frees the connection one turn later. Without this wait, the next call would open a second connection.
      if (!freshSocket) await new Promise(setImmediate)
      return { ...head, body: body.bytes() }
    },
    async close() {
      const closing = shared
      shared = undefined
      await closing?.destroy()
    },
  }
}

/** Returns a `Download` over the network. Each download has its own connection. No key or cookie is sent. */
export function createDownload({ env }: NetworkOptions): Download {
  return async (request, begin) => {
    const url = new URL(request.url)
    proxyFor(url, env)
    const connections = openConnections(env)
    let sink: BodySink | undefined
    const taker: AnswerTaker = {
      head(status, headers) {
        sink = begin({ status, headers })
      },
      data(chunk) {
        sink?.take(chunk)
        free(chunk)
      },
    }
    try {
      await exchange(connections.agent, url, { ...request, method: 'GET', freshSocket: true }, env, taker)
    } finally {
      void connections.destroy()
    }
  }
}

/**
 * Frees the memory of a chunk that fills its buffer, because a large download would otherwise fill the memory faster than it is collected.
 * undici does not read such a chunk again, unless a receiver pauses the answer, which none does.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

const MAX_BUFFERED_BYTES = 10 * 1024 * 1024

/** Returns a `Download` over a transport that returns whole bodies, such as the sandbox in this process. */
export function downloadOver(transport: Transport): Download {
  return async ({ idleMs: _, ...request }, begin) => {
    const answer = await transport({ ...request, method: 'GET', maxBytes: MAX_BUFFERED_BYTES })
    begin({ status: answer.status, headers: answer.headers }).take(answer.body)
  }
}

interface Connections {
  agent: Agent
  /** Closes the connections, and those that are still being opened. */
  destroy(): Promise<void>
}

function openConnections(env: NetworkOptions['env']): Connections {
  const end = new AbortController()
  const { signal } = end
  // undici's type does not have Node's option `signal`. Without a signal, the program could not end while a connection is being opened.
  const direct = buildConnector({ timeout: 0, signal, allowH2: false } as { timeout: number })
  const connect: ReturnType<typeof buildConnector> = (options, done) => {
    const connected: typeof done = (...made) => {
      if (made[1]) skipInterim(made[1])
      done(...made)
    }
    const proxy = proxyFor(new URL(`${options.protocol}//${options.host}`), env)
    if (proxy === undefined) return direct(options, connected)
    openTunnel(proxy, options.hostname, Number(options.port || 443), signal).then(
      (httpSocket) => direct({ ...options, httpSocket }, connected),
      (error: Error) => done(error, null),
    )
  }
  const agent = new Agent({ pipelining: 1, maxHeaderSize: 32_768, allowH2: false, connect })
  return {
    agent,
    async destroy() {
      const over = agent.destroy()
      end.abort()
      await over
    },
  }
}

/** Matches the start of an interim answer (not 101), complete or with the rest of `SAMPLE` in place of what has not arrived yet. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/
const NOTHING = Buffer.alloc(0)
const SAMPLE = 'HTTP/1.1 100'
const HEAD_END = '\r\n\r\n'

/**
 * Removes interim answers (`100 Continue`, `103 Early Hints`) from what arrives on a connection, because undici treats a 100 that it did not
 * ask for as a broken connection, and the outcome of a payment would be unknown. A client must accept them (RFC 9110, 15.2).
 * @param socket is read with `read()`, and has one request at a time; undici does both
 */
export function skipInterim(socket: Pick<Socket, 'read' | 'write'>): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  /** What has arrived since the request, as long as it may be an interim answer; undefined when the final answer has begun. */
  let arrived: Buffer | undefined = NOTHING
  socket.write = (...args: unknown[]) => {
    arrived = NOTHING
    return write(...args)
  }
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null || arrived === undefined) return chunk
      arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk])
      for (;;) {
        const start = arrived.toString('latin1', 0, SAMPLE.length)
        if (!INTERIM.test(start + SAMPLE.slice(start.length))) {
          const final = arrived
          arrived = undefined
          return final
        }
        const end = arrived.indexOf(HEAD_END)
        if (end < 0) break
        arrived = arrived.subarray(end + HEAD_END.length)
      }
    }
  }
}

interface AnswerTaker {
  /** Receives the head of the answer. Errors of this function and of `data` end the call. */
  head(status: number, headers: Record<string, string>): void
  data(chunk: Uint8Array): void
}

type Sent = Omit<WireRequest, 'maxBytes'> & { idleMs?: number }

/** Sends a request, and passes the answer on as it arrives. */
function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: Sent,
  env: NetworkOptions['env'],
  answer: AnswerTaker,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let sent = false
    let isOver = false
    let status = 0
    const body = new BodyBytes()

    const finish = () => {
      isOver = true
      deadline.clear()
      idle?.clear()
      request.signal?.removeEventListener('abort', interrupt)
    }
    // Only the first reason counts, because aborting a request causes further errors.
    const stop = (reason: unknown) => {
      if (isOver) return
      finish()
      controller?.abort(reason as Error)
      reject(reason)
    }
    const guarded = (work: () => void) => {
      try {
        if (!isOver) work()
      } catch (error) {
        stop(error)
      }
    }
    const late = (ms: number, what: string) =>
      startDeadline(ms, () => stop(new WireFailure('timeout', sent, `${what} within ${ms} ms`)))
    const interrupt = () => stop(new WireFailure('aborted', sent, 'interrupted', request.signal?.reason))
    const deadline = late(request.timeoutMs, 'no complete answer')
    const idle = request.idleMs === undefined ? undefined : late(request.idleMs, 'no data arrived')
    if (request.signal?.aborted) return interrupt()
    request.signal?.addEventListener('abort', interrupt)

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
        ...(request.freshSocket ? { reset: true } : {}),
      },
      {
        // Called when the connection exists, just before the first byte is written. From here on the call counts as sent.
        onRequestStart(given) {
          controller = given
          if (isOver) return given.abort(new Error('the call is over'))
          sent = true
        },
        onResponseStart(_, statusCode, given) {
          status = statusCode
          guarded(() => answer.head(statusCode, flatten(given)))
        },
        onResponseData(_, chunk) {
          idle?.refresh()
          body.skip(chunk)
          if (body.isShredded)
            stop(new WireFailure('garbled', true, 'too many small chunks', undefined, { status, shredded: true }))
          else guarded(() => answer.data(chunk))
        },
        onResponseEnd() {
          if (isOver) return
          finish()
          resolve()
        },
        onResponseError(_, error) {
          stop(wireFailureFrom(error, sent, { begun: status !== 0, env }))
        },
      },
    )
  })
}

function tooLarge(maxBytes: number, status: number): WireFailure {
  return new WireFailure('too-large', true, `the answer is larger than ${maxBytes} bytes`, undefined, { status })
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

type Env = Readonly<Record<string, string | undefined>>

interface ProxyServer {
  url: URL
  /** The name for messages, without user and password: `proxy.example:3128`. */
  name: string
  authorization: string | undefined
}

/**
 * Returns the proxy for an address, or undefined for a direct connection. The proxy in https_proxy is used for https addresses of other
 * machines, except those that no_proxy lists. As in curl, lower-case names take precedence. `ALL_PROXY` is not
 * read, because it usually names a SOCKS proxy, and `HTTP_PROXY` is not, because plain http is used only on this machine. Throws `config` if the proxy's address is not
 * valid, because otherwise requests would silently bypass the proxy.
 */
export function proxyFor(address: URL, env: Env): ProxyServer | undefined {
  const text = (env.https_proxy ?? env.HTTPS_PROXY)?.trim()
  if (!text || address.protocol !== 'https:' || isLoopback(address.hostname)) return undefined
  const misread = misreading(text)
  if (misread !== undefined) throw misreadProxy(misread)
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw unreadable(
      'HTTPS_PROXY is not the address of an http or https proxy',
      'Write it as http://proxy.example:3128, or unset HTTPS_PROXY.',
    )
  }
  if (url.search !== '' || url.hash !== '')
    throw misreadProxy('it has a “?” or “#”, which the address of a proxy cannot have')
  const authorization = authorizationOf(url)
  if (isExcepted(address, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  return { url, name: `${url.hostname}:${portOf(url)}`, authorization }
}

/** Returns the host of an address, without the brackets around an IPv6 address. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/[[\]]/g, '')

/** Returns the port of an address, or the default port of its protocol. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  } catch {
    throw unreadable(
      'the percent-encoding of the user or password in HTTPS_PROXY is wrong',
      'Write a percent sign as %25, and other special characters in the same way.',
    )
  }
}

const misreadProxy = (reason: string) =>
  unreadable(
    `the address in HTTPS_PROXY would be read otherwise than it was meant: ${reason}`,
    'Write it as http://user:password@proxy.example:3128, with special characters in the user and the password percent-encoded.',
  )

/** Returns the error for a proxy that cannot be used. It does not contain the address of the proxy, which may contain a password. */
const unreadable = (message: string, hint: string) => config(message, `${hint} Nothing was sent.`, 'BAD_PROXY')

/**
 * Whether the NO_PROXY list contains an address. The items of the list are `*`, a name with its subdomains (`example.com`, `.example.com`),
 * only the subdomains (`*.example.com`), or an IP address, each with or without a port, separated by commas or spaces.
 */
export function isExcepted(address: URL, list: string): boolean {
  const host = withoutDot(bareHost(address))
  return list
    .toLowerCase()
    .split(/[\s,]/)
    .some((entry) => {
      const { name, port } = entryOf(entry)
      if (port !== undefined && Number(port) !== portOf(address)) return false
      if (name === '*') return true
      const base = name.replace(/^\*?\./, '')
      return host.endsWith(`.${base}`) || (host === base && !name.startsWith('*'))
    })
}

function entryOf(entry: string): { name: string; port: string | undefined } {
  const [, bracketed, itsPort] = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { name: bracketed, port: itsPort }
  const [name = '', port, ...more] = entry.split(':')
  return more.length > 0 ? { name: entry, port: undefined } : { name: withoutDot(name), port }
}

const withoutDot = (name: string) => name.replace(/(.)\.$/, '$1')

/**
 * Asks a proxy (CONNECT) for a connection to a server. The proxy sees only the server's name and port. If this fails, throws a `WireFailure`
 * that names the proxy, and nothing was sent to the server.
 * @param signal ends the attempt to connect
 */
export async function openTunnel(
  proxy: ProxyServer,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<Socket> {
  const { url, authorization } = proxy
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const proxyHost = bareHost(url)
  const options: RequestOptions = {
    method: 'CONNECT',
    host: proxyHost,
    // Without this, Node would check the proxy's certificate against the name in the Host header, which is the server's name.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: portOf(url),
    path: authority,
    headers: { host: authority, ...(authorization && { 'proxy-authorization': authorization }) },
    agent: false,
    ...(signal && { signal }),
  }
  return new Promise((resolve, reject) => {
    const call = request(options)
    call.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.on('error', () => {}).destroy()
        return reject(refusal(proxy, statusCode))
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    call.on('error', (error) => reject(onTheWay(proxy, error)))
    call.end()
  })
}

const refusal = ({ name }: ProxyServer, status: number) =>
  new WireFailure('proxy', false, `status ${status}`, undefined, { proxy: { name, status } })

/** Returns a failure that names the proxy. If the proxy broke the connection, the failure's kind is `proxy`, and the call is not repeated. */
function onTheWay({ name }: ProxyServer, error: unknown): WireFailure {
  const { kind, message } = wireFailureFrom(error, false)
  return new WireFailure(kind === 'reset' || kind === 'garbled' ? 'proxy' : kind, false, message, error, {
    proxy: { name },
  })
}
