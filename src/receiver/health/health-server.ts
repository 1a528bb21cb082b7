import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type Door, HEALTH_PATH, isOwnHost } from '../door.ts'
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
}

export interface HealthServer {
  port: number
  close(): Promise<void>
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
  const { host, port, hosts, readiness, metrics } = options
  const door: Pick<Door, 'port' | 'hosts'> = { port, hosts }
  const server = createServer(
    { headersTimeout: 2000, requestTimeout: 3000, connectionsCheckingInterval: 500, maxHeaderSize: 8192 },
    (request, response) => {
      request.resume()
      const { method = '', url = '' } = request
      const [path] = url.split('?', 1)
      if (path !== HEALTH_PATH && !isOwnHost(request.headers.host, door)) return send(response, 421)
      if (![HEALTH_PATH, READY_PATH, METRICS_PATH].includes(path ?? '')) return send(response, 404)
      if (method !== 'GET' && method !== 'HEAD') return send(response, 405)
      if (path === HEALTH_PATH) return send(response, 200, 'ok\n')
      const asked = path === READY_PATH ? readyAnswer(readiness) : metrics.text().then((told) => [200, told] as const)
      asked.then(
        ([status, { type, text }]) => send(response, status, text, type),
        () => send(response, 500),
      )
    },
  )
  keepNewest(server, CONNECTIONS)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      server.on('error', () => {})
      resolve()
    })
  })
  door.port = (server.address() as AddressInfo).port
  return {
    port: door.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
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

async function readyAnswer(readiness: Pick<Readiness, 'check'>) {
  const state = await readiness.check()
  return [state === 'ready' ? 200 : 503, { type: PLAIN, text: `${STATES[state]}\n` }] as const
}

const TEXTS: Record<number, string> = {
  404: `not found; there are ${HEALTH_PATH}, ${READY_PATH} and ${METRICS_PATH}\n`,
  405: 'method not allowed\n',
  421: 'misdirected request\n',
  500: 'the metrics could not be put together\n',
}

function send(response: ServerResponse, status: number, text = TEXTS[status] ?? '', type = PLAIN): void {
  const headers: Record<string, string | number> = { 'content-type': type, 'content-length': Buffer.byteLength(text) }
  if (status === 405) headers.allow = 'GET, HEAD'
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' })
  response.end(text)
}
