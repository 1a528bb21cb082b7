import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { bareHost, openTunnel, portOf, proxyFor } from '../../client/network.ts'
import type { ServiceDescription } from '../../contract/description.ts'
import type { OwnPaths } from '../../contract/endpoints.ts'
import type { Clock } from '../../domain/clock.ts'
import { type Door, namesOfHost, openDoor } from '../../http-server/door.ts'
import { type Caller, createCaller, MOST_HEAD, type PassPlan, passRequest } from './pass.ts'
import { NOT_OWN_PATH, NOT_VALID, refusalBytes } from './refusal.ts'
import type { PassedExchange } from './watch.ts'

export interface ProxyOptions {
  port: number
  baseUrl: string
  apiKey: string | undefined
  strict: boolean
  paths: OwnPaths
  /** The service. The default is the specification. */
  description?: ServiceDescription
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  /**
   * Prints an exchange. While many exchanges wait to be printed, no further request is read. If none is printed for a second, requests are
   * read again, because a paused terminal must not stop the program that calls the service.
   */
  passed(exchange: PassedExchange): Promise<void>
  onFailure(error: unknown): void
  /** Called before a connection that does not speak HTTP is closed. */
  notHttp(isTls: boolean): void
}

const MOST_WAITING = 500
const PATIENCE_MS = 1000

/** The interface on which the proxy listens. Only programs on this machine can reach it. */
export const PROXY_HOST = '127.0.0.1'

/** The service sets all time limits, so the proxy has none. */
const LIMITS = { headersMs: 0, requestMs: 0, checkMs: 30_000, keepAliveMs: 0, headBytes: MOST_HEAD }

const CUT_BY_PROXY = 'stopped'

/** Starts a proxy for the service at `baseUrl`. Throws `config` when the port cannot be bound. */
export async function serveProxy(options: ProxyOptions): Promise<Door> {
  const base = new URL(options.baseUrl)
  const line = createLine(options)
  const plan: PassPlan = {
    destination: { host: base.host, prefix: base.pathname.replace(/\/+$/, ''), apiKey: options.apiKey },
    connect: (signal) => connectToService(base, options.env, signal),
    strict: options.strict,
    paths: options.paths,
    ...(options.description && { description: options.description }),
    clock: options.clock,
    passed: line.add,
    busy: line.busy,
  }
  const callers = new Map<Socket, Caller>()
  let isClosing = false
  const callerOf = (socket: Socket): Caller => {
    const known = callers.get(socket)
    if (known) return known
    const made = createCaller(socket, plan)
    callers.set(socket, made)
    socket.once('close', () => callers.delete(socket))
    return made
  }
  const door = await openDoor({
    host: PROXY_HOST,
    port: options.port,
    hosts: namesOfHost(PROXY_HOST, []),
    limits: LIMITS,
    optionPrefix: '',
    handle(visit) {
      const { socket } = visit.request
      visit.response.once('finish', () => isClosing && socket.destroySoon())
      passRequest(visit, callerOf(socket), plan).catch((error: unknown) => {
        options.onFailure(error)
        socket.destroy()
      })
    },
    onClientError(_, socket, bytes) {
      const calls = [...(callers.get(socket)?.open ?? [])]
      const isAnswered = calls.some(({ response }) => response.headersSent)
      for (const call of calls) call.refuse(NOT_VALID.status, [BAD_REQUEST])
      if (socket.destroyed) return
      if (isAnswered) return socket.destroySoon()
      if (calls.length > 0 || isLikeHttp(bytes)) return void socket.end(refusalBytes(NOT_VALID))
      if (bytes.length > 0) options.notHttp(bytes[0] === TLS_HANDSHAKE)
      socket.destroy()
    },
    onConnect: (socket) => void socket.end(refusalBytes(NOT_OWN_PATH)),
    onError: options.onFailure,
  })
  return {
    ...door,
    async close(cut) {
      isClosing = true
      const cutAll = () => {
        for (const { open } of callers.values()) for (const call of [...open]) call.end(CUT_BY_PROXY)
      }
      if (cut === undefined || cut.aborted) cutAll()
      else cut.addEventListener('abort', cutAll, { once: true })
      await door.close(cut)
    },
  }
}

const TLS_HANDSHAKE = 0x16

/** Whether bytes begin like a request, so that an answer can be understood. */
const isLikeHttp = (bytes: Buffer) => /^\s*[A-Za-z-]+ .*HTTP\/1/s.test(bytes.toString('latin1', 0, MOST_HEAD))

const BAD_REQUEST = { where: 'request body', expected: 'a body as the headers say', seen: 'other bytes' }

function createLine({ passed, onFailure, clock }: ProxyOptions): Pick<PassPlan, 'busy'> & { add: PassPlan['passed'] } {
  let waiting = 0
  let movedAt = 0
  let free = Promise.withResolvers<void>()
  const done = () => {
    waiting--
    movedAt = clock.monotonic()
    if (waiting !== MOST_WAITING) return
    free.resolve()
    free = Promise.withResolvers<void>()
  }
  return {
    add(exchange) {
      if (waiting++ === 0) movedAt = clock.monotonic()
      passed(exchange).catch(onFailure).finally(done)
    },
    busy() {
      const patienceMs = movedAt + PATIENCE_MS - clock.monotonic()
      if (waiting <= MOST_WAITING || patienceMs <= 0) return undefined
      return Promise.race([free.promise, clock.sleep(patienceMs)])
    },
  }
}

/**
 * Returns a socket that is connected to the service, through the proxy that the environment names, if any. For an https address, the
 * certificate of the service is checked. Rejects with the error of the socket, or with a `WireFailure` of the proxy.
 */
async function connectToService(
  base: URL,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Socket> {
  const [host, port] = [bareHost(base), portOf(base)]
  const proxy = proxyFor(base, env)
  const tunnel = proxy && (await openTunnel(proxy, host, port, signal))
  if (base.protocol === 'http:') return connected(connectTcp({ host, port, noDelay: true }), 'connect', signal)
  const socket = connectTls({
    ...(tunnel ? { socket: tunnel } : { host, port }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
  return connected(socket, 'secureConnect', signal)
}

function connected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const leave = () => socket.destroy(signal.reason)
    const failed = (error: Error) => {
      signal.removeEventListener('abort', leave)
      reject(error)
    }
    const closed = () => failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    socket.once('error', failed)
    socket.once('close', closed)
    socket.once(event, () => {
      socket.off('error', failed)
      socket.off('close', closed)
      signal.removeEventListener('abort', leave)
      socket.setNoDelay(true)
      resolve(socket)
    })
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
