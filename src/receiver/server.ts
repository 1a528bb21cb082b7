import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Door, type HttpVisit, openDoor } from '../http-server/door.ts'
import { type BodyReader, createBodyReader, discardBody } from '../http-server/request.ts'

export const MAX_BODY_BYTES = 1024 * 1024

export const HEALTH_PATH = '/healthz'

/** Times are in ms. A request that arrives more slowly would be answered too late, because the service waits only 3 s for an answer. */
export const LIMITS = { headersMs: 1500, requestMs: 2000, checkMs: 250, keepAliveMs: 5000, headBytes: 16_384 } as const

/**
 * The maximum total size, in bytes, of the bodies in memory that are larger than 16 KiB. While their total is above this maximum, a further
 * delivery with a body of more than 16 KiB is answered with 503 and `Retry-After`.
 */
const HELD_BYTES = 64 * MAX_BODY_BYTES

interface DeliveryServerOptions {
  host: string
  port: number
  path: string
  /** Further host names of the receiver, in addition to those of the loopback interface. */
  hosts: readonly string[]
  /** Called with the raw body. Must call `answer` exactly one time, with a status. */
  onDelivery(request: IncomingMessage, body: Buffer, answer: (status: number) => void): void
  /**
   * Whether the head of a request can belong to a genuine delivery. If not, a body without a declared length is not read, because a sender
   * without the secret could send it in millions of chunks. `onDelivery` then gets no body.
   */
  canBeGenuine(request: IncomingMessage): boolean
  onRefused(status: number, from: string): void
  /**
   * True while a connection should be closed after its answer, because the process is almost out of file descriptors or the receiver is
   * closing.
   */
  closesConnections(): boolean
  onError(error: unknown): void
}

/** Serves deliveries: reads whole bodies within limits of size and time, and answers with constant texts. Throws as `openDoor` does. */
export function serveDeliveries(options: DeliveryServerOptions): Promise<Door> {
  const { host, port, hosts, onError } = options
  const serving: Serving = {
    options,
    bodies: createBodyReader({ mostBytes: MAX_BODY_BYTES, budgetBytes: HELD_BYTES }),
    answered: new WeakSet(),
  }
  return openDoor({
    host,
    port,
    hosts,
    backlog: 1024,
    limits: LIMITS,
    optionPrefix: '',
    handle: (visit) => receive(visit, serving),
    onClientError: (code, socket) => turnAway(code, socket, serving),
    onError,
  })
}

interface Serving {
  options: DeliveryServerOptions
  bodies: BodyReader
  /** Connections that were answered before their whole request had arrived. */
  answered: WeakSet<Socket>
}

const CLIENT_ERRORS: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

function turnAway(code: string, socket: Socket, { options, answered }: Serving) {
  if (socket.writable && !answered.has(socket)) {
    const status = CLIENT_ERRORS[code] ?? 400
    options.onRefused(status, addressOf(socket))
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`)
  }
  socket.destroySoon()
}

/** Returns the IP address of the client, or `unknown` if the connection is already closed. */
export const addressOf = (socket: Socket): string => socket.remoteAddress ?? 'unknown'

function receive({ request, response, hostRefusal, proceed }: HttpVisit, { options, bodies, answered }: Serving): void {
  // A client that sent `Expect: 100-continue` may leave out its body when it is refused. So close the connection, because its next request
  // would be read as the body.
  const answer = (status: number, isLast = false) =>
    send(response, status, isLast || request.headers.expect !== undefined || options.closesConnections())
  // Read the rest of the request until its time limit, because closing the connection at once would hide the answer.
  const answerEarly = () => {
    answered.add(request.socket)
    request.once('end', () => answered.delete(request.socket))
  }
  const refuse = (status: number, isLast = false) => {
    answerEarly()
    options.onRefused(status, addressOf(request.socket))
    answer(status, isLast)
  }
  const refusal = hostRefusal || refuseHead(request, options.path)
  // A load balancer may know only the IP address, so the host name is not checked.
  if (refusal !== 400 && request.url === HEALTH_PATH && request.method === 'GET') {
    discardBody(request)
    answer(200)
    return
  }
  if (refusal !== 0) {
    discardBody(request)
    refuse(refusal)
    return
  }
  const deliver = (body: Buffer, release: () => void) => {
    try {
      options.onDelivery(request, body, (status) => {
        release()
        answer(status)
      })
    } catch (error) {
      options.onError(error)
      answer(500)
    }
  }
  if (request.headers['content-length'] === undefined && !options.canBeGenuine(request)) {
    discardBody(request)
    answerEarly()
    deliver(NOTHING, () => {})
    return
  }
  proceed()
  bodies.read(request, { refused: (status) => refuse(status, status === 400), whole: deliver })
}

const NOTHING = Buffer.alloc(0)

interface DeliveryHead {
  method?: string | undefined
  url?: string | undefined
  headers: IncomingHttpHeaders
}

/**
 * Returns the status to refuse with, or 0 to read the body. The Content-Type is not checked, because the specification does not show it
 * (gap 45), and a new_lead that is refused would be lost.
 */
function refuseHead({ method = '', url = '', headers }: DeliveryHead, path: string): 0 | 404 | 405 | 413 | 415 {
  const query = url.indexOf('?')
  if ((query < 0 ? url : url.slice(0, query)) !== path) return 404
  if (method !== 'POST') return 405
  const { 'content-encoding': encoding } = headers
  // The signature is for the bytes as they are sent, so nothing is decompressed.
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 415
  if (Number(headers['content-length']) > MAX_BODY_BYTES) return 413
  return 0
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

/** Answers with a constant text, which repeats nothing of the request. */
function send(response: ServerResponse, status: number, close: boolean): void {
  if (response.headersSent || response.destroyed) return
  const text = `${TEXTS[status] ?? 'refused'}\n`
  const headers: Record<string, string | number> = { 'content-type': 'text/plain', 'content-length': text.length }
  if (status === 405) headers.allow = 'POST'
  if (status === 503) headers['retry-after'] = 5
  if (close) headers.connection = 'close'
  response.writeHead(status, headers)
  response.end(text)
}

/** How many open files this process needs besides its connections: streams, the database and its log, the event loop. */
const OWN_FILES = 32

/** With fewer connections than this, a burst of deliveries may be refused. */
export const ENOUGH_CONNECTIONS = 512

/** Returns how many connections this process can have open, by its limit of open files; undefined if the limit is not known. */
export function connectionLimit(limitsFile = '/proc/self/limits'): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1]
    return soft === undefined ? undefined : Math.max(0, Number(soft) - OWN_FILES)
  } catch {
    return undefined
  }
}
