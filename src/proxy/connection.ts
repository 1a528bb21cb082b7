import type { Socket } from 'node:net'
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

/** The settings and callbacks that every connection of a proxy uses. */
export interface PassPlan {
  destination: Destination
  /** Opens a connection to the service. */
  connect(signal: AbortSignal): Promise<Socket>
  /** Whether a request that differs from the contract is refused. */
  strict: boolean
  /** The paths that the service uses where the specification shows none. */
  paths: OwnPaths
  clock: Clock
  passed(exchange: PassedExchange): void
  /**
   * Returns a promise if no further request may be read, because too many exchanges wait to be printed. The promise resolves when reading
   * may continue.
   */
  busy(): Promise<void> | undefined
  /** Called for a connection that does not speak HTTP. It is closed after that. */
  notHttp(isTls: boolean): void
}

/**
 * Connects a program to the service, and forwards the bytes that each of them sends. Compares every exchange of this connection with the
 * contract.
 */
export function passConnection(client: Socket, names: OwnNames, plan: PassPlan): { finish(): void } {
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
  /** Sends the proxy's own answer, after the service's answers to earlier requests. */
  const refuse = (refusal: ProxyRefusal, problems: Parameters<typeof refusalBytes>[1] = []) => {
    isRefused = true
    link.ignore()
    const answer = () => link.answer(refusalBytes(refusal, problems))
    if (watch.open() === 0) answer()
    else answerLater = answer
  }
  const judge = () => {
    if (kept === undefined || current === undefined) return
    const { pieces } = kept
    kept = undefined
    const held = holdExchange({ request: current.request() }, { paths })
    if (held.problems.length === 0) return pieces.forEach(link.send)
    current.refused(OFF_CONTRACT.status, held)
    refuse(OFF_CONTRACT, held.problems)
  }
  const pass = (bytes: Buffer) => {
    if (isRefused) return
    if (kept === undefined) return link.send(bytes)
    kept.pieces.push(bytes)
    kept.size += bytes.length
    if (kept.size > KEPT_BYTES) judge()
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
        // Send 100 Continue now, because a program that waits for it would send no body to compare. The service may send a second 100
        // Continue later, which HTTP allows.
        if (head.headers.some(([name]) => /^expect$/i.test(name))) client.write('HTTP/1.1 100 Continue\r\n\r\n')
      }
      pass(headForService(bytes, destination, putsKey))
      return framingBy(head.headers, { by: 'length', bytes: 0 })
    },
    raw: (bytes) => pass(bytes),
    body: (bytes) => current?.body(bytes),
    end() {
      current?.sent()
      judge()
    },
    broken(bytes) {
      if (isRefused) return
      link.ignore()
      plan.notHttp(bytes[0] === TLS_HANDSHAKE)
      link.cut()
    },
  })
  return {
    finish() {
      isFinishing = true
      if (watch.open() === 0) link.finish()
    },
  }
}

/** The first byte of a TLS connection. */
const TLS_HANDSHAKE = 0x16

/**
 * Whether the proxy puts its key into a request. It does so for every call that needs a key. For an unknown path, it does so only if the
 * program sent a key.
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

/** Returns the headers as they are sent to the service, with a fixed word instead of the profile's key. */
const withOwnKey = (headers: Head['headers']): Head['headers'] => [
  ...headers.filter(([name]) => !isAuthorization(name)),
  ['authorization', 'Bearer key-of-the-profile'],
]
