import { request } from 'node:http'
import { BnplError, config } from '../errors.ts'
import type { Door } from '../http-server/door.ts'
import { startDeadline } from '../lifetime.ts'
import { guarded } from './bug-channel.ts'
import { canBeGenuine, type DeliveryOptions, deliveryTaker } from './delivery.ts'
import { type Emitter, type EmitterOptions, startEmitter } from './emitter.ts'
import { type Forwarder, type ForwarderOptions, startForwarder } from './forwarding/forwarder.ts'
import { createGroupCommit } from './group-commit.ts'
import { serveDeliveries } from './server.ts'
import { proofHeader, type VerifierOptions } from './verification/verifier.ts'

export interface ReceiverOptions extends DeliveryOptions {
  host: string
  port: number
  hosts: readonly string[]
  /** The most connections that this process can have open; undefined if unknown. */
  connectionLimit: number | undefined
  /** How events are forwarded; undefined if they are only kept in the inbox. */
  forward: Omit<ForwarderOptions, 'inbox' | 'commit' | 'onFailure'> | undefined
  emit: EmitterOptions['emit']
}

export interface Receiver {
  port: number
  /**
   * Stops accepting deliveries, and releases the port. Deliveries in progress may finish until `drainMs` have passed or `stopNow` is
   * aborted.
   */
  close(drainMs: number, stopNow?: AbortSignal): Promise<void>
}

/** How long stored events may be printed on closing, even if no drain time is left. */
const LAST_EMIT_MS = 500

/** If more than this share of all possible connections is open, a connection is closed after its answer. */
const KEPT_SHARE = 0.8

/** Starts a receiver, which verifies deliveries, makes them durable, acknowledges them, and then emits and forwards them. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { inbox, clock, forward, onError } = options
  const observe = guarded(options.observe, onError)
  let closing = false
  const failed = (error: unknown): void => {
    if (!(error instanceof BnplError)) onError(error)
    else if (!closing) observe({ what: 'not-stored', error })
  }
  let lastFailure: unknown
  const commit = createGroupCommit(inbox, (error) => {
    lastFailure = error
    failed(error)
  })
  const unread = (error: unknown): void => {
    // The forwarder also stores results. The failure to store them was already reported.
    if (error === lastFailure) return
    // When the connection is lost, the inbox itself says so.
    const isTold = error instanceof BnplError && error.kind === 'network' && !inbox.holds()
    if (!(error instanceof BnplError)) onError(error)
    else if (!closing && !isTold) observe({ what: 'not-read', error })
  }
  let emitter: Emitter | undefined
  let forwarder: Forwarder | undefined
  const onDelivery = deliveryTaker(
    { ...options, observe },
    {
      commit,
      forwards: forward !== undefined,
      onEvent(event) {
        emitter?.add(event)
        forwarder?.wake(event.destination)
      },
    },
  )
  const mostKept = (options.connectionLimit ?? Infinity) * KEPT_SHARE
  const door: Door = await serveDeliveries({
    host: options.host,
    port: options.port,
    path: options.path,
    hosts: options.hosts,
    canBeGenuine: (request) => canBeGenuine(request, options),
    closesConnections: () => closing || mostKept < door.connections(),
    onRefused: (status, from) => observe({ what: 'refused', status, from }),
    onError,
    onDelivery,
  })
  const close = async (drainMs: number, stopNow?: AbortSignal): Promise<void> => {
    closing = true
    const deadline = clock.monotonic() + drainMs
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), drainMs)
    const cut = stopNow ? AbortSignal.any([over.signal, stopNow]) : over.signal
    await Promise.all([door.close(cut), forwarder?.stop(cut)])
    clearTimeout(timer)
    await emitter?.stop(Math.max(LAST_EMIT_MS, cut.aborted ? 0 : deadline - clock.monotonic()))
    await commit.close()
  }
  const look = (): void => {
    emitter?.look()
    forwarder?.look()
  }
  const lost = (): void => {
    emitter?.reread()
    // `failed` already reports a failure of this flush.
    commit.flush().catch(() => {})
  }
  inbox.watch((news) => (news === 'lost' ? lost() : look()), onError)
  try {
    // Start forwarding only after binding the port. Otherwise a second listener, whose port is taken, would forward events before it fails.
    const { emit } = options
    emitter = await startEmitter({ inbox, emit, emitted: commit.emitted, onUnread: unread, onFailure: onError })
    forwarder = forward && (await startForwarder({ ...forward, inbox, commit, onFailure: unread }))
  } catch (error) {
    await close(0).catch(failed)
    throw error
  }
  // Events may have been stored after the port was bound and before the emitter and the forwarder started.
  look()
  return { port: door.port, close }
}

interface SelfTest extends VerifierOptions {
  host: string
  port: number
  path: string
  id: string
  timeMs?: number
}

/** The time limit of a test delivery, in ms. The service waits equally long for an answer. */
const TIME_MS = 3000
/** How often the test delivery is sent if it is not answered in time. The first one may be slow, because the machine is busy with the start. */
const TRIES = 3

const LATE = `no answer within ${TIME_MS / 1000} s`

const HINTS: Readonly<Record<number | string, string>> = {
  503: 'Check the disk of the state folder, or the database, because no delivery can be stored.',
  [LATE]: `Check the disk of the state folder, or the database, because the listener did not answer ${TRIES} test deliveries in time.`,
}

/**
 * Sends the receiver a test delivery that needs every step: socket, head, verification, envelope, a synced write, and the answer 200.
 * @throws `config` when the delivery is not acknowledged
 */
export async function selfTest(test: SelfTest): Promise<void> {
  const body = Buffer.from(JSON.stringify({ eventId: test.id, data: null }))
  const [secret = ''] = test.secrets.current()
  let result: number | string = LATE
  for (let tries = 0; tries < TRIES && result === LATE; tries++)
    result = await post(test, body, proofHeader(body, { ...test, secret }, test.clock?.now()))
  if (result === 200) return
  throw config(
    `the listener's own test delivery was not acknowledged (${result})`,
    HINTS[result] ?? 'Check that --host is an address of this machine.',
    'SELF_TEST',
  )
}

function post(
  { host, port, path, timeMs = TIME_MS }: SelfTest,
  body: Buffer,
  headers: Record<string, string>,
): Promise<number | string> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const sent = request(
      {
        host: address,
        port,
        path,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length, connection: 'close' },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    const deadline = startDeadline(timeMs, () => {
      resolve(LATE)
      sent.destroy()
    })
    sent.on('close', deadline.clear)
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
    sent.end(body)
  })
}
