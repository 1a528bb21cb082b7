import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { hostsOf, type OwnNames, refuseHost } from '../../http/own-host.ts'
import { onRequests } from '../../http/requests.ts'
import { bind } from '../../http/server.ts'
import { HEALTH_PATH } from '../delivery-head.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness, State } from './readiness.ts'

const READY_PATH = '/readyz'
const METRICS_PATH = '/metrics'

export interface HealthServerOptions {
  host: string
  port: number
  /** More names it goes by; `*` for any address of this machine, which is how probes and scrapers ask. */
  hosts: readonly string[]
  readiness: Pick<Readiness, 'check'>
  metrics: Pick<Metrics, 'text'>
  /** Gets what nobody foresaw while an answer was put together. */
  onFault(error: unknown): void
}

export interface HealthServer {
  port: number
  close(): Promise<void>
}

interface Answer {
  status: number
  text?: string
  type?: string
}

/** Connections at once: whoever watches has a few, and files that are open here are none for deliveries. */
const CONNECTIONS = 32

const STATES: Record<State, string> = {
  ready: 'ready',
  starting: 'starting',
  'not-writable': 'the inbox cannot be written',
  ending: 'ending',
}

/**
 * Serves those who watch a receiver, on a port of their own: `/healthz` (the process answers), `/readyz` (a delivery could be stored),
 * `/metrics`. A foreign `Host` is refused, so that no page in a browser can read it through a name of its own. Throws what `listen` throws.
 */
export async function serveHealth(options: HealthServerOptions): Promise<HealthServer> {
  const names: OwnNames = { port: options.port, hosts: options.hosts }
  const server = createServer({
    headersTimeout: 2000,
    requestTimeout: 3000,
    connectionsCheckingInterval: 500,
    maxHeaderSize: 8192,
  })
  // The body of a request is not needed, so a client that asks whether to send it is answered at once.
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume()
    answer(request, options, names)
      .catch((error: unknown) => {
        options.onFault(error)
        return { status: 500 }
      })
      .then((answered) => send(response, answered))
  }
  onRequests(server, handle, options.onFault)
  keepNewest(server, CONNECTIONS)
  names.port = await bind(server, { host: options.host, port: options.port })
  return {
    port: names.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  { readiness, metrics }: HealthServerOptions,
  names: OwnNames,
): Promise<Answer> {
  const [path = ''] = url.split('?', 1)
  const refused = refuseHost(hostsOf(rawHeaders), names)
  // A probe knows the address alone, so /healthz needs no name.
  if (refused === 400 || (refused !== 0 && path !== HEALTH_PATH)) return { status: refused }
  if (![HEALTH_PATH, READY_PATH, METRICS_PATH].includes(path)) return { status: 404 }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 }
  if (path === METRICS_PATH) return { status: 200, ...(await metrics.text()) }
  if (path === HEALTH_PATH) return { status: 200, text: 'ok\n' }
  const state = await readiness.check()
  return { status: state === 'ready' ? 200 : 503, text: `${STATES[state]}\n` }
}

/** The oldest connection makes room for a new one: whoever holds many and says nothing does not keep a probe out. */
function keepNewest(server: Server, most: number): void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [oldest] = open
    if (open.size > most) oldest?.destroy()
  })
}

const PLAIN = 'text/plain; charset=utf-8'

const TEXTS: Record<number, string> = {
  400: 'bad request\n',
  404: `not found; there are ${HEALTH_PATH}, ${READY_PATH} and ${METRICS_PATH}\n`,
  405: 'method not allowed\n',
  421: 'misdirected request\n',
  500: 'the metrics could not be put together\n',
}

function send(response: ServerResponse, { status, text = TEXTS[status] ?? '', type = PLAIN }: Answer): void {
  const headers: Record<string, string | number> = { 'content-type': type, 'content-length': Buffer.byteLength(text) }
  if (status === 405) headers.allow = 'GET, HEAD'
  if (response.req.headers.expect !== undefined) headers.connection = 'close'
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' })
  response.end(text)
}
