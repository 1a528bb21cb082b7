import type { ServerResponse } from 'node:http'
import { type Clock, within } from '../../domain/clock.ts'
import { type Door, type HttpVisit, openDoor } from '../../http-server/door.ts'
import { discardBody } from '../../http-server/request.ts'
import type { Inbox } from '../inbox.ts'
import { HEALTH_PATH } from '../server.ts'
import type { Metrics } from './metrics.ts'

export type ReadinessState = 'starting' | 'ready' | 'not-writable' | 'ending'

/** Knows whether a delivery could be stored, so that a load balancer can send deliveries elsewhere in time. */
interface Readiness {
  opened(): void
  ending(): void
  /** Call this when a write succeeded. If the state is `not-writable`, starts a `probe`, because a larger write could still fail. */
  wrote(): void
  failed(): void
  known(): ReadinessState
  /** Returns the state. Runs a `probe` first if the last write is old, so that a full disk is found even when no delivery arrives. */
  check(): Promise<ReadinessState>
}

/** How long the outcome of a write or a `probe` is relied on, in ms. */
export const FRESH_MS = 1000
/** The time limit of a `probe`, in ms. If writes take longer, the service probably does not wait for the answers to its deliveries. */
export const PROOF_MS = 2000

/** Creates the state of a receiver that is starting. */
export function createReadiness(inbox: Pick<Inbox, 'probe'>, clock: Clock): Readiness {
  let stage: 'starting' | 'open' | 'ending' = 'starting'
  let writable = true
  let provedAt = Number.NEGATIVE_INFINITY
  let proving: Promise<void> | undefined

  const proved = (outcome: boolean): void => {
    writable = outcome
    provedAt = clock.monotonic()
  }
  const known = (): ReadinessState => (stage !== 'open' ? stage : writable ? 'ready' : 'not-writable')
  const prove = (): Promise<void> => {
    // Run only one `probe` at a time, because frequent health requests must not add to the load of the disk.
    proving ??= inbox
      .probe()
      .then(
        () => proved(true),
        () => proved(false),
      )
      .finally(() => {
        proving = undefined
      })
    return proving
  }
  return {
    opened() {
      stage = 'open'
    },
    ending() {
      stage = 'ending'
    },
    wrote() {
      if (writable) proved(true)
      else if (clock.monotonic() - provedAt >= FRESH_MS) void prove()
    },
    failed: () => proved(false),
    known,
    async check() {
      if (stage !== 'open' || clock.monotonic() - provedAt < FRESH_MS) return known()
      const inTime = await within(
        PROOF_MS,
        prove().then(() => true),
        clock,
      )
      if (!inTime) writable = false
      return known()
    },
  }
}

const READY_PATH = '/readyz'
const METRICS_PATH = '/metrics'

interface HealthServerOptions {
  host: string
  port: number
  /** Further host names of the server. `*` means every IP address. */
  hosts: readonly string[]
  readiness: Pick<Readiness, 'check'>
  metrics: Pick<Metrics, 'text'>
  onError(error: unknown): void
}

interface HealthAnswer {
  status: number
  text?: string
  type?: string
}

/**
 * Each connection uses a file descriptor that a delivery could need, so only few connections are allowed. A client with many idle
 * connections cannot block a health probe, because a new connection replaces the oldest one.
 */
const LIMITS = { headersMs: 2000, requestMs: 3000, checkMs: 500, keepAliveMs: 5000, headBytes: 8192, connections: 32 }

const STATES: Record<ReadinessState, string> = {
  ready: 'ready',
  starting: 'starting',
  'not-writable': 'the inbox cannot be written',
  ending: 'ending',
}

/**
 * Serves health probes and metrics on a separate port. Refuses requests with a foreign `Host`, so that a page in a browser cannot read the
 * answers. Throws the same errors as `openDoor`.
 */
export function serveHealth(options: HealthServerOptions): Promise<Door> {
  const { host, port, hosts, onError } = options
  const handle = (visit: HttpVisit): void => {
    // Discard the body. A client that sent `Expect: 100-continue` gets the answer without sending its body.
    discardBody(visit.request)
    answer(visit, options)
      .catch((error: unknown): HealthAnswer => {
        onError(error)
        return { status: 500 }
      })
      .then((answered) => send(visit.response, answered))
  }
  return openDoor({ host, port, hosts, limits: LIMITS, optionPrefix: 'metrics-', handle, onError })
}

async function answer(
  { request: { method = '', url = '' }, hostRefusal }: HttpVisit,
  { readiness, metrics }: HealthServerOptions,
): Promise<HealthAnswer> {
  const [path = ''] = url.split('?', 1)
  // A probe may know only the IP address, so /healthz accepts any name in `Host`. Two `Host` headers (400) are refused there too.
  if (hostRefusal === 400 || (hostRefusal !== 0 && path !== HEALTH_PATH)) return { status: hostRefusal }
  if (![HEALTH_PATH, READY_PATH, METRICS_PATH].includes(path)) return { status: 404 }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 }
  if (path === METRICS_PATH) return { status: 200, ...(await metrics.text()) }
  if (path === HEALTH_PATH) return { status: 200, text: 'ok\n' }
  const state = await readiness.check()
  return { status: state === 'ready' ? 200 : 503, text: `${STATES[state]}\n` }
}

const PLAIN = 'text/plain; charset=utf-8'

const TEXTS: Record<number, string> = {
  400: 'bad request\n',
  404: `not found; the paths are ${HEALTH_PATH}, ${READY_PATH} and ${METRICS_PATH}\n`,
  405: 'method not allowed\n',
  421: 'misdirected request\n',
  500: 'a fault in the receiver; stderr of the receiver says more\n',
}

function send(response: ServerResponse, { status, text = TEXTS[status] ?? '', type = PLAIN }: HealthAnswer): void {
  const headers: Record<string, string | number> = { 'content-type': type, 'content-length': Buffer.byteLength(text) }
  if (status === 405) headers.allow = 'GET, HEAD'
  if (response.req.headers.expect !== undefined) headers.connection = 'close'
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' })
  response.end(text)
}
