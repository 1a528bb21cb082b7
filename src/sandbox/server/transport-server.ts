import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Transport, WireFault, type WireResponse } from '../../contract/wire.ts'
import { config } from '../../errors.ts'
import { hostInUrl, isAllInterfaces, shownHost, whyNotBound } from '../../http/address.ts'
import { onRequests } from '../../http/requests.ts'
import { CutAnswer } from '../service/cut-answer.ts'
import { Refusal, refusalAnswer } from '../service/refusal.ts'
import { ANY, type Gate, refuse } from './gate.ts'
import { sendAndHangUp, sendCut, sendResponse } from './send.ts'

/** Times in ms, sizes in bytes. */
export interface ListenLimits {
  bodyBytes: number
  /** From the connection's (or the previous answer's) end to the last header. */
  headersMs: number
  /** To the last byte of the body. */
  requestMs: number
  /** How long answers under way may take once the server closes. */
  drainMs: number
}

export const LISTEN_LIMITS: ListenLimits = {
  bodyBytes: 1024 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  drainMs: 3_000,
}

export interface ListenOptions {
  /** Interface to bind. */
  host: string
  /** 0 takes any free one. */
  port: number
  /** More names this server goes by, as `name` or `name:port`. */
  allowHosts?: readonly string[]
  limits?: ListenLimits
  /** Told of what the handler threw; the caller gets a plain 500. */
  onFault(error: unknown): void
}

export interface Listening {
  /** The address as a client on this machine writes it, without a slash at the end. */
  baseUrl: string
  port: number
  /** Answers with `transport` from now on; requests that came before waited for it. */
  serve(transport: Transport): void
  /** Stops accepting, lets answers under way end within `drainMs`, cuts the rest; the port is free when it resolves. */
  close(): Promise<void>
}

/**
 * Serves a `Transport` over HTTP: bytes in, bytes out, no CORS, nothing in the headers that names the program.
 * Throws `config` when the address cannot be bound.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const limits = options.limits ?? LISTEN_LIMITS
  const ready = Promise.withResolvers<Transport>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(500, limits.headersMs / 4),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 32_768,
  })
  await bind(server, options)
  const { port } = server.address() as AddressInfo
  const gate: Gate = { port, names: namesOf(options) }
  const common = { gate, limits, closing: closing.signal, transport: ready.promise, options }
  onRequests(
    server,
    (request, response, proceed) => void answer({ request, response, proceed, ...common }),
    options.onFault,
  )
  return {
    port,
    baseUrl: `http://${shownHost(options.host)}:${port}`,
    serve: ready.resolve,
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

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Asks a client that waits for it to send its body. */
  proceed(): void
  gate: Gate
  limits: ListenLimits
  closing: AbortSignal
  transport: Promise<Transport>
  options: ListenOptions
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, closing, options } = exchange
  request.on('error', () => {})
  response.on('error', () => {})
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const send = { method: request.method ?? 'GET', gone: gone.signal, closing }
  try {
    const answered = await respond(exchange, gone.signal)
    if (request.complete) await sendResponse(response, answered, send)
    else await sendAndHangUp(request, response, answered)
  } catch (error) {
    if (error instanceof CutAnswer) return sendCut(response, error)
    if (error instanceof WireFault || gone.signal.aborted || request.errored) return void request.socket.destroy()
    options.onFault(error)
    await sendResponse(response, refusalAnswer(new Refusal(500, 'ERR_SANDBOX', 'the sandbox itself failed')), send)
  }
}

async function respond(exchange: Exchange, gone: AbortSignal): Promise<WireResponse> {
  const { request, gate, limits } = exchange
  const { method = 'GET', url: path = '/', headers } = request
  const refusal = refuse(
    {
      method,
      path,
      hosts: request.headersDistinct.host ?? [],
      origin: headers.origin,
      fetchSite: single(headers['sec-fetch-site']),
    },
    gate,
  )
  if (!refusal) exchange.proceed()
  const body = refusal ? undefined : await readBody(request, limits.bodyBytes)
  if (refusal || body === undefined) {
    return refusalAnswer(refusal ?? tooLarge(limits.bodyBytes))
  }
  const transport = await exchange.transport
  return transport({
    method: method === 'HEAD' ? 'GET' : method,
    url: `http://${headers.host}${path}`,
    headers: Object.fromEntries(
      Object.entries(request.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    ),
    body,
    // Whoever asked has a time limit of his own, and takes what comes.
    timeoutMs: 2 ** 31 - 1,
    maxBytes: Number.MAX_SAFE_INTEGER,
    signal: gone,
  })
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value)

const tooLarge = (limit: number) => new Refusal(413, 'ERR_PAYLOAD_TOO_LARGE', `the body is larger than ${limit} bytes`)

/** @returns undefined when it is larger than `limit`; nothing beyond the limit is kept */
async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers['content-length']) > limit) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > limit) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function bind(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const why = whyNotBound(error, { host, port })
      reject(why ? config(...why) : error)
    })
    server.listen({ host, port }, resolve)
  })
}

function namesOf({ host, allowHosts = [] }: ListenOptions): string[] {
  return [isAllInterfaces(host) ? ANY : hostInUrl(host), ...allowHosts.map((name) => name.toLowerCase())]
}
