import type { Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type BodySink, type Download, type Transport, WireFailure, type WireRequest } from '../contract/wire.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import { startDeadline } from '../domain/deadline.ts'
import { openTunnel, proxyFor } from './proxy.ts'
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
      data: (chunk) => sink?.take(chunk),
    }
    try {
      await exchange(connections.agent, url, { ...request, method: 'GET', freshSocket: true }, env, taker)
    } finally {
      void connections.destroy()
    }
  }
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
  let arrived: Buffer | undefined = Buffer.alloc(0)
  socket.write = (...args: unknown[]) => {
    arrived = Buffer.alloc(0)
    return write(...args)
  }
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null || arrived === undefined) return chunk
      arrived = Buffer.concat([arrived, chunk])
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
