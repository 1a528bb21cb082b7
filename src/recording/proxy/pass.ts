import { Agent, type ClientRequest, type IncomingMessage, request as open, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import { wireFailureFrom } from '../../client/wire-failure.ts'
import { compareExchange } from '../../contract/compare/compare.ts'
import { type Difference, whyUnread } from '../../contract/compare/exchange.ts'
import type { ServiceDescription } from '../../contract/description.ts'
import type { OwnPaths } from '../../contract/endpoints.ts'
import type { Clock } from '../../domain/clock.ts'
import { type HttpVisit, resetConnection } from '../../http-server/door.ts'
import { discardBody } from '../../http-server/request.ts'
import {
  type Destination,
  headersForService,
  isKeyWanted,
  OFF_CONTRACT,
  type ProxyRefusal,
  pairsOf,
  REFUSAL_TYPE,
  refusalBody,
  refusalByHead,
  withOwnKey,
} from './refusal.ts'
import { KEPT_BYTES, type PassedExchange, type WatchedExchange, watchExchange } from './watch.ts'

export interface PassPlan {
  destination: Destination
  connect(signal: AbortSignal): Promise<Socket>
  strict: boolean
  paths: OwnPaths
  /** The service. The default is the specification. */
  description?: ServiceDescription
  clock: Clock
  passed(exchange: PassedExchange): void
  /** Returns a promise when too many exchanges wait to be printed. No further request is read until it resolves. */
  busy(): Promise<void> | undefined
}

/** The largest head of a request or an answer that is passed, in bytes. */
export const MOST_HEAD = 256 * 1024

/** The calls of one connection of a program. They use one connection to the service, as they would without the proxy. */
export interface Caller {
  readonly agent: Agent
  readonly open: Set<PassedCall>
  /** Resolves when the last call so far has ended. Calls of one connection are passed one after the other, as HTTP/1 answers them. */
  last: Promise<void>
}

interface PassedCall {
  readonly response: ServerResponse
  /** Ends the call without its answer, and the request to the service. */
  end(kind: string): void
  /** Ends the call, because the proxy answers it itself. */
  refuse(status: number, problems: Difference[]): void
}

/** Returns the caller for a new connection of a program. When the service closes its connection, the program's is closed too. */
export function createCaller(client: Socket, { connect }: PassPlan): Caller {
  const left = new AbortController()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = (_, done) => {
    connect(left.signal).then(
      (socket) => {
        socket.once('close', () => caller.open.size > 0 || client.destroySoon())
        done?.(null, socket)
      },
      (error: Error) => done?.(error, undefined as never),
    )
    return undefined
  }
  const caller: Caller = { agent, open: new Set<PassedCall>(), last: Promise.resolve() }
  client.once('close', () => {
    left.abort(new Error('the program disconnected'))
    agent.destroy()
  })
  return caller
}

/** Passes a request to the service and its answer to the program, and compares both with the contract. */
export async function passRequest(visit: HttpVisit, caller: Caller, plan: PassPlan): Promise<void> {
  const { request, response } = visit
  const { destination, strict } = plan
  // Errors of a connection are reported by the events `close` of the answer and `error` of the request to the service.
  for (const each of [request, response]) each.on('error', () => {})
  response.sendDate = false
  const head = { method: request.method ?? '', path: request.url ?? '', headers: pairsOf(request.rawHeaders) }
  const refusal = refusalByHead(
    { ...visit, headers: head.headers, target: head.path },
    destination.apiKey !== undefined,
  )
  if (refusal) return refuse(visit, refusal)
  const over = Promise.withResolvers<void>()
  const before = caller.last
  caller.last = over.promise
  response.once('close', over.resolve)
  await before
  await plan.busy()
  if (response.destroyed) return
  const putsKey = isKeyWanted(destination, head, plan.paths)
  const exchange = watchExchange(plan, { ...head, headers: putsKey ? withOwnKey(head.headers) : head.headers })
  let service: ClientRequest | undefined
  const call: PassedCall = {
    response,
    end(kind) {
      exchange.end(kind)
      caller.open.delete(call)
      service?.destroy()
    },
    refuse(status, problems) {
      exchange.refused(status, { ...compareExchange({ request: notRead(exchange) }, plan), problems })
      call.end('stopped')
    },
  }
  caller.open.add(call)
  response.once('close', () => call.end('aborted'))
  if (strict) {
    const problems = await readAndCompare(visit, exchange, plan)
    if (problems === undefined) return
    if (problems.length > 0) {
      call.refuse(OFF_CONTRACT.status, problems)
      return refuse(visit, OFF_CONTRACT, problems)
    }
  }
  if (response.destroyed) return
  service = open({
    agent: caller.agent,
    method: head.method,
    path: `${destination.prefix}${head.path}`,
    headers: headersForService(head.headers, destination, putsKey).flat(),
    setDefaultHeaders: false,
    setHost: false,
    maxHeaderSize: MOST_HEAD,
  })
  service.on('continue', visit.proceed)
  service.on('response', (answer) => passBack(answer, call, exchange))
  service.on('error', (error) => fail(error, call))
  if (strict) return void service.end(exchange.sent.half([]).bytes)
  request.on('data', (bytes: Buffer) => exchange.sent.add(bytes) || fail(SHREDDED, call))
  request.on('end', () => {
    exchange.sent.end()
    service?.addTrailers(pairsOf(request.rawTrailers))
    service?.end()
  })
  // A program that waits for `100 Continue` sends no body before the service has received the head.
  service.flushHeaders()
  request.pipe(service, { end: false })
}

/**
 * Reads the whole body of a request, and compares the request with the contract. Returns the differences because of which it must not be
 * sent; undefined if the program disconnected.
 */
async function readAndCompare(
  { request, proceed }: HttpVisit,
  exchange: WatchedExchange,
  plan: PassPlan,
): Promise<Difference[] | undefined> {
  // Otherwise a program that waits for `100 Continue` would not send the body that must be compared.
  proceed()
  let size = 0
  let problem: Difference | undefined
  const read = new Promise<void>((resolve) => {
    request.on('data', (bytes: Buffer) => {
      if (problem) return
      size += bytes.length
      if (!exchange.sent.add(bytes)) problem = MANY_CHUNKS
      else if (size > KEPT_BYTES) problem = TOO_LARGE
      if (problem) resolve()
    })
    request.on('end', resolve)
    request.on('close', resolve)
  })
  await read
  if (problem === undefined && !request.complete) return undefined
  if (problem === undefined) exchange.sent.end()
  const asked = problem ? notRead(exchange) : exchange.request()
  const { problems } = compareExchange({ request: asked }, plan)
  if (problem) problems.push(problem)
  else if (whyUnread(asked.body) === 'too-large') problems.push(TOO_LARGE)
  return problems
}

/** The request with a body that is not read to its end, so that no field is reported as missing. */
const notRead = (exchange: WatchedExchange) => ({
  ...exchange.request(),
  body: { omitted: 'too-large', bytes: 0 } as const,
})

const TOO_LARGE: Difference = {
  where: 'request body',
  expected: 'at most 256 KiB, or 1 MiB after decompression, so that --strict can compare it',
  seen: 'a larger body',
}

const MANY_CHUNKS: Difference = {
  where: 'request body',
  expected: 'chunks of more than a few bytes',
  seen: 'thousands of chunks of a few bytes',
}

/** Passes an answer to the program: its status, its headers in their order and case, its body and its trailers. */
function passBack(answer: IncomingMessage, call: PassedCall, exchange: WatchedExchange): void {
  const { response } = call
  const status = answer.statusCode ?? 0
  // A status below 100 is not HTTP (RFC 9110, section 15). Programs treat such an answer as a broken connection.
  if (status < 100) {
    fail(new NotPassed('HPE_INVALID_STATUS'), call)
    return
  }
  const kept = exchange.answered(status, pairsOf(answer.rawHeaders))
  // Node would add these headers if the service did not send them.
  for (const name of ['connection', 'content-length', 'transfer-encoding']) response.removeHeader(name)
  response.writeHead(status, answer.statusMessage ?? '', answer.rawHeaders)
  response.flushHeaders()
  answer.on('data', (bytes: Buffer) => kept.add(bytes) || fail(SHREDDED, call))
  answer.on('end', () => {
    response.addTrailers(pairsOf(answer.rawTrailers))
    exchange.end()
    response.end()
  })
  answer.on('error', (error) => fail(error, call))
  answer.pipe(response, { end: false })
}

/** The error for a message that is not passed on, because it is not HTTP or would cost far more than its bytes. */
class NotPassed extends Error {
  readonly code: `HPE_${string}`
  constructor(code: `HPE_${string}`) {
    super(code)
    this.code = code
  }
}

const SHREDDED = new NotPassed('HPE_TOO_MANY_CHUNKS')

/** Ends a call and the program's connection as the service's connection ended: closed or reset. */
function fail(error: Error & { syscall?: string }, call: PassedCall): void {
  const { socket } = call.response
  call.end(wireFailureFrom(error, true).kind)
  if (socket === null || socket.destroyed) return
  if (error.syscall === undefined) socket.destroySoon()
  else reset(socket)
}

/** Resets a connection after everything was written. */
function reset(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.writableLength > 0) socket.once('drain', () => reset(socket))
  else resetConnection(socket)
}

/** The time in which the program must send the rest of a refused request, in ms. */
const LINGER_MS = 2000

/** Answers a request that is not passed on, and closes the connection when the program has sent the rest of its request. */
async function refuse(
  { request, response }: HttpVisit,
  refusal: ProxyRefusal,
  problems: Difference[] = [],
): Promise<void> {
  const body = refusalBody(refusal, problems)
  response.writeHead(
    refusal.status,
    [
      ['Content-Type', REFUSAL_TYPE],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Connection', 'close'],
    ].flat(),
  )
  response.write(body)
  if (!request.complete) {
    discardBody(request)
    await finished(request, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => {})
  }
  response.end()
}
