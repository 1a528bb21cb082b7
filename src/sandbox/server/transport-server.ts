import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { type Transport, WireFailure, type WireResponse } from '../../contract/wire.ts'
import { hostInUrl, isAllInterfaces, shownHost } from '../../http-server/address.ts'
import { type HttpVisit, openDoor, resetConnection } from '../../http-server/door.ts'
import { type BodyReader, createBodyReader, discardBody } from '../../http-server/request.ts'
import { environmentOf, isPageAddress } from '../addresses.ts'
import { refuse } from '../service/access.ts'
import { CutAnswer } from '../service/faults.ts'
import { Refusal, refusalAnswer } from '../service/refusal.ts'
import { isStorageAddress } from '../service/reports.ts'

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
  onError(error: unknown): void
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
  const { host, limits = SERVER_LIMITS, onEnd, onError } = options
  const ready = Promise.withResolvers<Transport>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  const bodies = createBodyReader({ mostBytes: limits.bodyBytes, budgetBytes: Number.POSITIVE_INFINITY })
  const site = { bodies, closing: closing.signal, transport: ready.promise, onEnd, onError }
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
    onError,
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

interface Site {
  bodies: BodyReader
  closing: AbortSignal
  transport: Promise<Transport>
  onEnd: ((end: ExchangeEnd) => void) | undefined
  onError(error: unknown): void
}

/** A request that reached the transport, and how it ended. `status` is undefined when the connection was cut off. */
export interface ExchangeEnd {
  method: string
  /** The address of the request, which may contain secrets and ids of people. */
  url: string
  status: number | undefined
  ms: number
}

/** An answer whose body is followed by a stream of server-sent events. Code that calls the sandbox without HTTP gets only the body. */
export interface StreamedResponse extends WireResponse {
  /** @param signal is aborted when the browser has disconnected or the server closes */
  stream(signal: AbortSignal): AsyncIterable<Uint8Array>
}

const isStreamed = (response: WireResponse): response is StreamedResponse => 'stream' in response

/** Checks a request, reads its body, and sends the answer. Never throws. */
async function answerExchange(visit: HttpVisit, site: Site): Promise<void> {
  const { request, response } = visit
  request.on('error', () => {})
  response.on('error', () => {})
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const to: Reader = { response, isHead: request.method === 'HEAD', gone: gone.signal, closing: site.closing }
  try {
    const answer = await respond(visit, gone.signal, site)
    if (request.complete) await send(answer, to)
    else await sendAndHangUp(request, response, answer)
  } catch (error) {
    if (error instanceof CutAnswer) return sendCut(response, error)
    if (error instanceof WireFailure && error.kind === 'refused') return resetConnection(request.socket)
    if (error instanceof WireFailure || gone.signal.aborted || request.errored) return void request.socket.destroy()
    site.onError(error)
    await send(refusalAnswer(new Refusal(500, 'ERR_SANDBOX', 'the sandbox itself failed')), to)
  }
}

async function respond(visit: HttpVisit, gone: AbortSignal, site: Site): Promise<WireResponse> {
  const { method = 'GET', url: path = '/', headers, headersDistinct } = visit.request
  const refusal = refuse(visit)
  if (refusal) return refusalAnswer(refusal)
  const body = await readBody(visit, gone, site.bodies)
  if (body instanceof Refusal) return refusalAnswer(body)
  const transport = await site.transport
  const url = `http://${headers.host}${path}`
  const wire = {
    method: methodOf(method, path),
    url,
    headers: Object.fromEntries(
      Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    ),
    body,
    timeoutMs: 2 ** 31 - 1,
    maxBytes: Number.MAX_SAFE_INTEGER,
    signal: gone,
  }
  const started = performance.now()
  let answer: WireResponse | undefined
  try {
    answer = await transport(wire)
    return answer
  } finally {
    site.onEnd?.({ method: wire.method, url, status: answer?.status, ms: performance.now() - started })
  }
}

/**
 * Returns the method of a request, with HEAD replaced by GET. HEAD is not replaced on the payment page, where a GET can pay. HEAD is also
 * not replaced for a report, because the signature in its link is valid for only one method.
 */
function methodOf(method: string, path: string): string {
  if (method !== 'HEAD') return method
  const pathname = path.split('?')[0] ?? ''
  return isPageAddress(environmentOf(pathname).inside) || isStorageAddress(pathname) ? 'HEAD' : 'GET'
}

/**
 * Returns the body of a request, or the refusal of a body that is too large or comes in thousands of pieces of a few bytes. Rejects when the
 * client closes the connection before the end of the body.
 */
async function readBody({ request, proceed }: HttpVisit, gone: AbortSignal, bodies: BodyReader) {
  const tooLarge = () => new Refusal(413, 'ERR_PAYLOAD_TOO_LARGE', `the body is larger than ${bodies.mostBytes} bytes`)
  if (Number(request.headers['content-length']) > bodies.mostBytes) return tooLarge()
  proceed()
  return new Promise<Uint8Array | Refusal>((resolve, reject) => {
    gone.addEventListener('abort', () => reject(gone.reason), { once: true })
    bodies.read(request, {
      refused: (status) =>
        resolve(
          status === 400
            ? new Refusal(400, 'ERR_BAD_REQUEST', 'the body comes in thousands of chunks of a few bytes')
            : tooLarge(),
        ),
      whole(body, release) {
        release()
        resolve(body)
      },
    })
  })
}

interface Reader {
  response: ServerResponse
  isHead: boolean
  gone: AbortSignal
  closing: AbortSignal
}

async function send(answer: WireResponse, { response, isHead, gone, closing }: Reader): Promise<void> {
  if (closing.aborted) response.setHeader('connection', 'close')
  if (!isStreamed(answer) || isHead) {
    writeHead(response, answer)
    response.end(isHead ? undefined : answer.body)
    return settled(response)
  }
  const signal = AbortSignal.any([gone, closing])
  response.writeHead(answer.status, headersOf(answer))
  response.flushHeaders()
  response.write(answer.body)
  for await (const chunk of answer.stream(signal)) {
    if (signal.aborted) break
    // Wait for a client that reads slowly, so that chunks do not collect in memory.
    if (!response.write(chunk)) await new Promise<void>((resolve) => drained(response, signal, resolve))
  }
  response.end()
  return settled(response)
}

/** How long a client may continue to send after its request was refused, in ms. */
const LINGER_MS = 1_000

/** Closes the connection a moment after the answer, because closing at once would reset it, and the client might never see the answer. */
async function sendAndHangUp(request: IncomingMessage, response: ServerResponse, answer: WireResponse): Promise<void> {
  response.setHeader('connection', 'close')
  writeHead(response, answer)
  response.write(answer.body)
  discardBody(request)
  await finished(request, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => {})
  response.end()
  await settled(response)
}

function sendCut(response: ServerResponse, { response: answer, bytes }: CutAnswer): void {
  writeHead(response, answer)
  response.flushHeaders()
  response.write(answer.body.subarray(0, bytes), () => response.socket?.destroySoon())
}

function writeHead(response: ServerResponse, answer: WireResponse): void {
  const hasBody = answer.status !== 204 && answer.status !== 304
  response.writeHead(answer.status, {
    ...headersOf(answer),
    ...(hasBody ? { 'content-length': answer.body.length } : {}),
  })
}

function headersOf({ headers }: WireResponse): Record<string, string> {
  return { 'x-content-type-options': 'nosniff', ...headers }
}

async function settled(response: ServerResponse): Promise<void> {
  await finished(response).catch(() => {})
}

function drained(response: ServerResponse, signal: AbortSignal, resolve: () => void): void {
  response.once('drain', resolve)
  signal.addEventListener('abort', resolve, { once: true })
}
