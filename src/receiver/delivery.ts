import type { IncomingMessage } from 'node:http'
import { eventOf } from '../contract/events.ts'
import { proofOf } from '../contract/integrations.ts'
import type { Clock } from '../domain/clock.ts'
import { type EnvelopeResult, readEnvelope } from '../domain/envelope.ts'
import type { BnplError } from '../errors.ts'
import { singleHeader } from '../http-server/request.ts'
import { guarded, isBug, type OnError } from './bug-channel.ts'
import type { GroupCommit, OnStored } from './group-commit.ts'
import type { Arrival, Inbox, Recorded, StoredEvent } from './inbox.ts'
import { addressOf } from './server.ts'
import {
  type VerificationFailure,
  type VerifierOptions,
  verifyDelivery,
  verifyDeliveryAgain,
} from './verification/verifier.ts'

/** What a receiver reports to its observer. Durations are in ms. */
export type Happening =
  | { what: 'recorded'; arrival: Arrival; recorded: Recorded; ms: number }
  /** A verified delivery could not be stored, so it was answered with 503. */
  | { what: 'unacknowledged'; arrival: Arrival }
  | { what: 'unverified'; why: VerificationFailure; from: string }
  | { what: 'refused'; status: number; from: string }
  | { what: 'not-stored'; error: BnplError }
  /** Stored events could not be read, so they are not printed or forwarded yet. This is tried again. */
  | { what: 'not-read'; error: BnplError }

interface AnsweredDelivery {
  request: IncomingMessage
  body: Buffer
  receivedAt: number
  status: number
  ms: number
  /** The time from the end of the body until the sender closed the connection; undefined if the sender waited for the answer. */
  cutMs: number | undefined
}

export interface DeliveryOptions extends VerifierOptions {
  /** The path at which deliveries are accepted. It is also the name of the destination. */
  path: string
  inbox: Inbox
  clock: Clock
  /** The eventId of the delivery with which the listener tests itself. That delivery is not stored. */
  selfTestId: string
  observe(happening: Happening): void
  /** Called after each answer, except the answer to the listener's own test delivery. */
  answered?: ((delivery: AnsweredDelivery) => void) | undefined
  onError: OnError
}

interface Onward {
  commit: Pick<GroupCommit, 'submit'>
  forwards: boolean
  onEvent(event: StoredEvent): void
}

type Answer = (status: number) => void

/** Returns a function that verifies the raw bytes of a delivery, stores it, and acknowledges it when it is durable. */
export function deliveryTaker(
  options: DeliveryOptions,
  { commit, forwards, onEvent }: Onward,
): (request: IncomingMessage, body: Buffer, answer: Answer) => void {
  const { clock, inbox, observe, onError } = options
  const answerSelfTest = (answer: Answer): void => {
    inbox.probe().then(
      () => answer(200),
      (error: unknown) => {
        answer(503)
        if (isBug(error)) onError(error)
      },
    )
  }
  const answered = options.answered && guarded(options.answered, onError)
  return (request, body, respond) => {
    const receivedAt = clock.now()
    const started = clock.monotonic()
    const answer: Answer = answered === undefined ? respond : reported
    const cut = answered === undefined ? undefined : cutOf(request.socket, clock)
    function reported(status: number): void {
      const cutAt = cut?.()
      respond(status)
      const cutMs = cutAt === undefined ? undefined : cutAt - started
      answered?.({ request, body, receivedAt, status, ms: clock.monotonic() - started, cutMs })
    }
    const accept = (): void => {
      const read = readEnvelope(body)
      if (read.ok && read.envelope.eventId === options.selfTestId) {
        answerSelfTest(respond)
        return
      }
      const arrival = readArrival({ request, body, read, receivedAt, forward: forwards }, options)
      const onStored: OnStored = (_error, recorded) => {
        answer(recorded === undefined ? 503 : 200)
        if (recorded === undefined) return observe({ what: 'unacknowledged', arrival })
        observe({ what: 'recorded', arrival, recorded, ms: clock.monotonic() - started })
        if (recorded.fate === 'new')
          onEvent(storedEvent(arrival, recorded, read.ok ? read.envelope.dataText : undefined))
      }
      commit.submit(arrival, guarded(onStored, onError))
    }
    const refuse = (why: VerificationFailure): void => {
      observe({ what: 'unverified', why, from: addressOf(request.socket) })
      answer(401)
    }
    const why = verifyDelivery(request.headers, body, options)
    if (why === undefined) accept()
    else if (why !== 'wrong') refuse(why)
    else
      verifyDeliveryAgain(request.headers, body, options)
        .then((still) => (still ? refuse(still) : accept()))
        .catch((error: unknown) => {
          answer(503)
          onError(error)
        })
  }
}

const NOTHING = Buffer.alloc(0)

/** Whether a request has the header with which deliveries are verified. Without it, no body can make the request genuine. */
export function canBeGenuine({ headers }: IncomingMessage, options: VerifierOptions): boolean {
  const why = verifyDelivery(headers, NOTHING, options)
  return why !== 'missing' && why !== 'other-scheme'
}

function cutOf(socket: IncomingMessage['socket'], clock: Clock): () => number | undefined {
  let at: number | undefined
  const closed = () => {
    at = clock.monotonic()
  }
  socket.once('close', closed)
  return () => {
    socket.off('close', closed)
    return at
  }
}

interface Verified {
  request: IncomingMessage
  body: Buffer
  read: EnvelopeResult
  receivedAt: number
  forward: boolean
}

/** Returns the arrival to store. A body that is not an event (an odd body) is stored too, in case the service sends it only once. */
function readArrival(
  { request, body, read, receivedAt, forward }: Verified,
  { path, scheme, signature }: Pick<DeliveryOptions, 'path' | 'scheme' | 'signature'>,
): Arrival {
  return {
    destination: path,
    scheme,
    eventId: read.ok ? read.envelope.eventId : null,
    event: read.ok ? eventOf(scheme, read.envelope.data) : null,
    odd: read.ok ? null : read.reason,
    body,
    contentType: request.headers['content-type'] ?? null,
    signature:
      scheme === 'hmac'
        ? String(proofOf((name) => singleHeader(request.headers, name), scheme, signature.headers))
        : null,
    receivedAt,
    forward,
  }
}

/** The fields are copied one by one, because a spread (`...`) can take as long as computing a hash. */
function storedEvent(arrival: Arrival, { seq, session }: Recorded, dataText: string | undefined): StoredEvent {
  return {
    seq,
    place: seq,
    session,
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
    forwarding: arrival.forward
      ? { state: 'waiting', attempts: 0, status: null, error: null, answer: null, ms: null }
      : null,
    dataText,
  }
}
