import type { IncomingMessage } from 'node:http'
import type { VerificationScheme } from '../contract/integrations.ts'
import type { Clock } from '../domain/clock.ts'
import { type EnvelopeResult, eventOf, readEnvelope } from '../domain/envelope.ts'
import type { SignatureSettings } from '../domain/signature-settings.ts'
import { BnplError } from '../errors.ts'
import { type Emitter, type EmitterOptions, startEmitter } from './emitter.ts'
import { guarded, isFault, type OnFault } from './fault-channel.ts'
import { type Forwarder, type ForwarderOptions, startForwarder } from './forwarding/forwarder.ts'
import { createGroupCommit, type Done } from './group-commit.ts'
import type { Arrival, Inbox, Recorded, StoredEvent } from './inbox.ts'
import { addressOf, type Listening, serve } from './server.ts'
import { type Disbelief, SCHEME_HEADER, type Secrets, verify, verifyAgain } from './verification/verifier.ts'

export interface ReceiverOptions {
  host: string
  port: number
  /** Where deliveries are taken, and the name of the destination. */
  path: string
  /** More names this receiver goes by. */
  hosts: readonly string[]
  scheme: VerificationScheme
  signature: SignatureSettings
  secrets: Secrets
  inbox: Inbox
  clock: Clock
  /** The eventId of the listener's own round trip, which is not an event. */
  selfTestId: string
  /** Connections this process can have open; undefined where nobody knows. */
  connectionLimit: number | undefined
  forward: Omit<ForwarderOptions, 'inbox' | 'commit' | 'onFailure'> | undefined
  emit: EmitterOptions['emit']
  observe(happening: Happening): void
  /** Gets what the receiver cannot go on after: a fault in the program wherever it is, and events that cannot be written out. */
  onFault: OnFault
}

/** What a receiver tells of its work. Durations in ms. */
export type Happening =
  /** Acknowledged; `ms` from the whole body to the record. */
  | { what: 'recorded'; arrival: Arrival; recorded: Recorded; ms: number }
  /** Verified, and answered 503: it could not be stored. */
  | { what: 'unacknowledged'; arrival: Arrival }
  | { what: 'disbelieved'; why: Disbelief; from: string }
  | { what: 'refused'; status: number; from: string }
  /** A batch of arrivals, or something else, could not be written. */
  | { what: 'not-stored'; error: BnplError }

export interface Receiver {
  port: number
  /** Stops accepting, drains for at most `drainMs` or until `hurry`, writes down what is known, and lets go of the port. */
  close(drainMs: number, hurry?: AbortSignal): Promise<void>
}

/** Milliseconds that what is stored has to be written out at the end, also where answers took all the time there was. */
const LAST_EMIT_MS = 500

/** Receives deliveries: verified on their raw bytes, durable before they are acknowledged, then emitted and forwarded. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { inbox, clock, forward, onFault } = options
  const observe = guarded(options.observe, onFault)
  let closing = false
  const failed = (error: unknown): void => {
    if (!(error instanceof BnplError)) onFault(error)
    else if (!closing) observe({ what: 'not-stored', error })
  }
  const commit = createGroupCommit(inbox, failed)
  let emitter: Emitter | undefined
  let forwarder: Forwarder | undefined
  const door = { path: options.path, port: options.port, hosts: options.hosts }
  const listening: Listening = await serve({
    host: options.host,
    port: options.port,
    door,
    hurry: () => closing || (options.connectionLimit ?? Infinity) * 0.8 < listening.connections(),
    onRefused: (status, from) => observe({ what: 'refused', status, from }),
    onFault,
    onDelivery(request, body, answer) {
      const receivedAt = clock.now()
      const started = clock.monotonic()
      const believed = (): void => {
        const read = readEnvelope(body)
        if (read.ok && read.envelope.eventId === options.selfTestId) {
          inbox.probe().then(
            () => answer(200),
            (error: unknown) => {
              answer(503)
              if (isFault(error)) onFault(error)
            },
          )
          return
        }
        const arrival = readArrival(request, body, read, receivedAt, options)
        const done: Done = (error, recorded) => {
          answer(recorded === undefined ? 503 : 200)
          if (error !== undefined || recorded === undefined) return observe({ what: 'unacknowledged', arrival })
          observe({ what: 'recorded', arrival, recorded, ms: clock.monotonic() - started })
          if (recorded.fate !== 'new') return
          emitter?.give(storedEvent(arrival, recorded.seq, read.ok ? read.envelope.dataText : undefined))
          forwarder?.wake(arrival.destination)
        }
        commit.submit(arrival, guarded(done, onFault))
      }
      const disbelieve = (why: Disbelief): void => {
        observe({ what: 'disbelieved', why, from: addressOf(request.socket) })
        answer(401)
      }
      const why = verify(request.headers, body, options)
      if (why === undefined) believed()
      else if (why !== 'wrong') disbelieve(why)
      else
        verifyAgain(request.headers, body, options)
          .then((still) => (still ? disbelieve(still) : believed()))
          .catch((error: unknown) => {
            answer(503)
            onFault(error)
          })
    },
  })
  door.port = listening.port
  const close = async (drainMs: number, hurry?: AbortSignal): Promise<void> => {
    closing = true
    const deadline = clock.monotonic() + drainMs
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), drainMs)
    const cut = hurry ? AbortSignal.any([over.signal, hurry]) : over.signal
    await Promise.all([listening.close(cut), forwarder?.stop(cut)])
    clearTimeout(timer)
    await emitter?.stop(Math.max(LAST_EMIT_MS, cut.aborted ? 0 : deadline - clock.monotonic()))
    await commit.close()
  }
  const look = (): void => {
    emitter?.look()
    forwarder?.look()
  }
  const lost = (): void => {
    emitter?.doubt()
    // It cannot be stored now, which `failed` hears of. But the next session asks how far events were written out.
    commit.flush().catch(() => {})
  }
  inbox.watch((news) => (news === 'lost' ? lost() : look()), onFault)
  try {
    // Start forwarding only after binding the port. Otherwise a second listener, about to fail, would forward events of the first.
    emitter = await startEmitter({ inbox, emit: options.emit, emitted: commit.emitted, onFailure: onFault })
    forwarder = forward && (await startForwarder({ ...forward, inbox, commit, onFailure: failed }))
  } catch (error) {
    await close(0).catch(failed)
    throw error
  }
  // What was stored since the port was bound may have been missed by both.
  look()
  return { port: listening.port, close }
}

/** Field by field: what the runtime does for `...` costs as much as a hash, some of the time. */
function storedEvent(arrival: Arrival, seq: number, dataText: string | undefined): StoredEvent {
  return {
    seq,
    place: seq,
    fate: 'new',
    destination: arrival.destination,
    scheme: arrival.scheme,
    eventId: arrival.eventId,
    event: arrival.event,
    odd: arrival.odd,
    body: arrival.body,
    contentType: arrival.contentType,
    signature: arrival.signature,
    receivedAt: arrival.receivedAt,
    variantOf: null,
    confirmation: null,
    forwarding: arrival.forward ? { state: 'waiting', attempts: 0, status: null, error: null, ms: null } : null,
    dataText,
  }
}

/** A verified body as it is stored: an event, or something odd that is kept all the same because it may never be sent again. */
function readArrival(
  request: IncomingMessage,
  body: Buffer,
  read: EnvelopeResult,
  receivedAt: number,
  { path, scheme, forward }: ReceiverOptions,
): Arrival {
  return {
    destination: path,
    scheme,
    eventId: read.ok ? read.envelope.eventId : null,
    event: read.ok ? eventOf(scheme, read.envelope.data) : null,
    odd: read.ok ? null : read.reason,
    body,
    contentType: request.headers['content-type'] ?? null,
    signature: scheme === 'hmac' ? String(request.headers[SCHEME_HEADER.hmac]) : null,
    receivedAt,
    forward: forward !== undefined,
  }
}
