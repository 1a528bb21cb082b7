import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { onRequests } from '../http/requests.ts'
import { bind } from '../http/server.ts'
import type { Door } from './delivery-head.ts'
import { HEALTH_PATH, MAX_BODY_BYTES, refuseHead } from './delivery-head.ts'

/** Times in ms. A delivery has 3 s in all, so that a client which is slower than this has nothing to wait for. */
export const TIMES = { headersMs: 1500, requestMs: 2000, checkMs: 250, keepAliveMs: 5000 } as const

/** Bytes of bodies that are held at once, over all connections; what comes beyond is told to come again. */
const HELD_LIMIT = 64 * MAX_BODY_BYTES
/** Bodies up to this size are not worth counting. */
const SMALL_BYTES = 16 * 1024

export interface ServerOptions {
  host: string
  port: number
  door: Door
  /** Gets the raw body; answers with a status through `answer`, once. */
  onDelivery(request: IncomingMessage, body: Buffer, answer: (status: number) => void): void
  /** Told of what was refused before its body was looked at; `from` is an address. */
  onRefused(status: number, from: string): void
  /** True while new connections should not be kept: files are running short, or the receiver is closing. */
  hurry(): boolean
  /** Gets what the callbacks throw. */
  onFault(error: unknown): void
}

export interface Listening {
  port: number
  /** Connections that are open now. */
  connections(): number
  /** Stops accepting, and lets answers under way end until `cut`, which cuts the rest. */
  close(cut: AbortSignal): Promise<void>
}

/** Serves the door: bodies read whole within limits of size and time, constant answers. Throws what `listen` throws. */
export async function serve(options: ServerOptions): Promise<Listening> {
  const server = createServer({
    headersTimeout: TIMES.headersMs,
    requestTimeout: TIMES.requestMs,
    connectionsCheckingInterval: TIMES.checkMs,
    keepAliveTimeout: TIMES.keepAliveMs,
    maxHeaderSize: 16_384,
  })
  let open = 0
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
  })
  const state: State = { held: 0, over: new WeakSet() }
  onRequests(
    server,
    (request, response, proceed) => receive({ request, response, proceed }, options, state),
    options.onFault,
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => turnAway(error, socket, options, state))
  const port = await bind(server, { host: options.host, port: options.port, backlog: 1024 })
  return {
    port,
    connections: () => open,
    close: (cut) =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        if (cut.aborted) server.closeAllConnections()
        else cut.addEventListener('abort', () => server.closeAllConnections(), { once: true })
      }),
  }
}

interface State {
  /** Bytes of large bodies that are held now. */
  held: number
  /** Connections that were answered before all of their request had come. */
  over: WeakSet<Socket>
}

const CLIENT_ERRORS: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** Ends a connection that is too slow or does not speak HTTP, with the status that says which. */
function turnAway({ code = '' }: NodeJS.ErrnoException, socket: Socket, { onRefused }: ServerOptions, { over }: State) {
  if (socket.writable && !over.has(socket)) {
    const status = CLIENT_ERRORS[code] ?? 400
    onRefused(status, addressOf(socket))
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`)
  }
  socket.destroySoon()
}

export const addressOf = (socket: Socket): string => socket.remoteAddress ?? 'unknown'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  proceed(): void
}

function receive({ request, response, proceed }: Exchange, options: ServerOptions, state: State): void {
  // A client that asked first may leave its body out when it is refused; the next request would then be taken for it.
  const answer = (status: number) => send(response, status, request.headers.expect !== undefined || options.hurry())
  const refuse = (status: number) => {
    // What still comes is read and dropped until the time for a request is over: a cut would hide the answer.
    state.over.add(request.socket)
    request.once('end', () => state.over.delete(request.socket))
    options.onRefused(status, addressOf(request.socket))
    answer(status)
  }
  const refused = refuseHead(request, options.door)
  if (refused !== 400 && request.url === HEALTH_PATH && request.method === 'GET') {
    answer(200)
    return
  }
  if (refused !== 0 || state.held > HELD_LIMIT) {
    refuse(refused || 503)
    return
  }
  proceed()
  let chunks: Buffer[] | undefined = []
  let size = 0
  let counted = 0
  let isWhole = false
  const release = () => {
    state.held -= counted
    counted = 0
  }
  request.on('data', (chunk: Buffer) => {
    if (!chunks) return
    size += chunk.length
    chunks.push(chunk)
    if (size <= SMALL_BYTES) return
    // Of one that breaks off; a whole one is held until it is answered.
    if (counted === 0) request.once('close', () => isWhole || release())
    state.held += size - counted
    counted = size
    const status = size > MAX_BODY_BYTES ? 413 : state.held > HELD_LIMIT ? 503 : 0
    if (status === 0) return
    chunks = undefined
    release()
    refuse(status)
  })
  request.on('end', () => {
    const [first] = chunks ?? []
    if (!chunks) return
    isWhole = true
    try {
      options.onDelivery(request, chunks.length === 1 && first ? first : Buffer.concat(chunks), (status) => {
        release()
        answer(status)
      })
    } catch (error) {
      options.onFault(error)
      answer(500)
    }
  })
}

const TEXTS: Record<number, string> = {
  200: 'ok',
  400: 'bad request',
  401: 'not verified',
  404: 'not found',
  405: 'method not allowed',
  413: 'too large',
  415: 'unsupported media type',
  421: 'misdirected request',
  500: 'fault',
  503: 'not stored',
}

/** Answers with the status and a constant text: nothing of what was sent comes back. */
function send(response: ServerResponse, status: number, hurry: boolean): void {
  if (response.headersSent || response.destroyed) return
  const text = `${TEXTS[status] ?? 'refused'}\n`
  const headers: Record<string, string | number> = { 'content-type': 'text/plain', 'content-length': text.length }
  if (status === 405) headers.allow = 'POST'
  if (status === 503) headers['retry-after'] = 5
  if (hurry) headers.connection = 'close'
  response.writeHead(status, headers)
  response.end(text)
}
