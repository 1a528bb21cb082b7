import type { Socket } from 'node:net'
import { type Difference, whyUnread } from '../contract/differences/exchange.ts'
import { holdExchange } from '../contract/differences/hold.ts'
import { endpointOf, matchEndpoint, type OwnPaths } from '../contract/endpoints.ts'
import type { Clock } from '../domain/clock.ts'
import type { OwnNames } from '../http/own-host.ts'
import { KEPT_BYTES } from './body.ts'
import { type BodyFraming, createMessageReader, framingBy, type Head } from './framing.ts'
import { linkTo } from './link.ts'
import { OFF_CONTRACT, type ProxyRefusal, refusalByHead, refusalBytes } from './refusal.ts'
import { type Destination, headForService } from './request-head.ts'
import { createWatch, type OpenExchange, type PassedExchange } from './watch.ts'

export interface PassPlan {
  destination: Destination
  connect(signal: AbortSignal): Promise<Socket>
  strict: boolean
  paths: OwnPaths
  clock: Clock
  passed(exchange: PassedExchange): void
  /** Returns a promise when too many exchanges wait to be printed. No further request is read until it resolves. */
  busy(): Promise<void> | undefined
  /** Called before a connection that does not speak HTTP is closed. */
  notHttp(isTls: boolean): void
}

/** Connects a program to the service and forwards the bytes in both directions. Compares every exchange with the contract. */
export function passConnection(client: Socket, names: OwnNames, plan: PassPlan): { finish(): void; cut(): void } {
  const { strict, paths, destination } = plan
  let isFinishing = false
  let isRefused = false
  let answerLater: (() => void) | undefined
  let current: OpenExchange | undefined
  /** The beginning of a request that must be compared with the contract before it is sent. */
  let kept: { pieces: Buffer[]; size: number } | undefined
  const watch = createWatch({
    ...plan,
    idle() {
      answerLater?.()
      if (isFinishing) link.finish()
    },
  })
  const link = linkTo(client, {
    connect: plan.connect,
    fromClient(bytes) {
      if (watch.isOver()) return link.send(bytes)
      requests.push(bytes)
      const free = plan.busy()
      if (free) void free.then(link.hold())
    },
    fromService: (bytes) => watch.answers.push(bytes),
    ended(kind, isEnd) {
      if (isEnd) watch.answers.close()
      watch.endAll(kind)
    },
  })
  /** Sends the refusal after the service has answered all earlier requests, because HTTP/1 answers must be in the order of the requests. */
  const refuse = (refusal: ProxyRefusal, problems: Parameters<typeof refusalBytes>[1] = []) => {
    isRefused = true
    link.ignore()
    const answer = () => link.answer(refusalBytes(refusal, problems))
    if (watch.open() === 0) answer()
    else answerLater = answer
  }
  /** Sends the request that was kept, or refuses it. @param unknown why it cannot be compared; undefined if it is complete */
  const judge = (unknown?: Difference) => {
    if (kept === undefined || current === undefined) return
    const { pieces } = kept
    kept = undefined
    const request = { ...current.request(), ...(unknown && { body: NOT_READ }) }
    const held = holdExchange({ request }, { paths })
    if (unknown) held.problems.push(unknown)
    else if (whyUnread(request.body) === 'too-large') held.problems.push(TOO_LARGE)
    if (held.problems.length === 0) return pieces.forEach(link.send)
    current.refused(OFF_CONTRACT.status, held)
    refuse(OFF_CONTRACT, held.problems)
  }
  const pass = (bytes: Buffer) => {
    if (isRefused) return
    if (kept === undefined) return link.send(bytes)
    kept.pieces.push(bytes)
    kept.size += bytes.length
    if (kept.size > MOST_KEPT) judge(TOO_LARGE)
  }
  const requests = createMessageReader({
    head(head, bytes): BodyFraming {
      if (isRefused) return { by: 'nothing' }
      const refusal = refusalByHead(head, names, destination.apiKey !== undefined)
      if (refusal) {
        refuse(refusal)
        return { by: 'nothing' }
      }
      const [method = '', path = ''] = head.start.split(' ')
      const putsKey = isKeyWanted(destination, method, path, head.headers, paths)
      current = watch.begin(method, path, putsKey ? withOwnKey(head.headers) : head.headers)
      if (strict) {
        kept = { pieces: [], size: 0 }
        askForBody(client, head)
      }
      pass(headForService(bytes, destination, putsKey))
      const framing = framingBy(head.headers, { by: 'length', bytes: 0 })
      if (framing.by === 'nothing' || framing.by === 'end') judge(ENDLESS)
      return framing
    },
    raw: (bytes) => pass(bytes),
    body: (bytes) => current?.body(bytes),
    end() {
      current?.sent()
      judge()
    },
    broken(bytes) {
      if (isRefused) return
      if (kept) return judge(NO_CHUNK)
      link.ignore()
      plan.notHttp(bytes[0] === TLS_HANDSHAKE)
      watch.endAll(CUT_BY_PROXY)
      link.cut()
    },
  })
  return {
    finish() {
      isFinishing = true
      if (watch.open() === 0) link.finish()
    },
    cut: () => watch.endAll(CUT_BY_PROXY),
  }
}

/**
 * Sends 100 Continue if the program waits for it. Otherwise it would not send the body that must be compared. The service may send a second
 * 100 Continue, which HTTP allows.
 */
function askForBody(client: Socket, { headers }: Head): void {
  if (headers.some(([name]) => /^expect$/i.test(name))) client.write('HTTP/1.1 100 Continue\r\n\r\n')
}

const CUT_BY_PROXY = 'stopped'

/**
 * The maximum number of bytes of one request that the proxy stores until it compares the request: the largest body, the head of the
 * request, and the lines that separate the chunks of a body.
 */
const MOST_KEPT = 4 * KEPT_BYTES

const TOO_LARGE: Difference = {
  where: 'request body',
  expected: 'at most 256 KiB, or 1 MiB after decompression, so that --strict can compare it',
  seen: 'a larger body',
}

const NO_CHUNK: Difference = {
  where: 'request body',
  expected: 'chunks, as Transfer-Encoding says',
  seen: 'other bytes',
}

/** The body of a request that is not read to its end, so that no field is reported as missing. */
const NOT_READ = { omitted: 'too-large', bytes: 0 } as const

/** Nothing shows where the body of such a request ends, so without this the program would wait for an answer forever. */
const ENDLESS: Difference = {
  where: 'request headers',
  expected: 'a Content-Length that is a number, or Transfer-Encoding: chunked',
  seen: 'another value',
}

const TLS_HANDSHAKE = 0x16

/**
 * Whether to put the profile's key in a request. A call of the contract gets the key if the call needs one. Any other request gets the key
 * if the program sent one.
 */
function isKeyWanted(
  { apiKey }: Destination,
  method: string,
  path: string,
  headers: Head['headers'],
  paths: OwnPaths,
): boolean {
  if (apiKey === undefined) return false
  const call = matchEndpoint(method, path.split('?')[0] ?? '', paths)
  return call ? endpointOf(call.name).auth === 'key' : headers.some(([name]) => isAuthorization(name))
}

const isAuthorization = (name: string) => /^authorization$/i.test(name)

/**
 * Returns the headers for the comparison and the recording. They contain fixed words instead of the profile's key, because no recording may
 * contain the key.
 */
const withOwnKey = (headers: Head['headers']): Head['headers'] => [
  ...headers.filter(([name]) => !isAuthorization(name)),
  ['authorization', 'Bearer key-of-the-profile'],
]
