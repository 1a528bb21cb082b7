import type { HeldExchange, PlainExchange } from '../contract/differences/exchange.ts'
import { holdExchange } from '../contract/differences/hold.ts'
import type { OwnPaths } from '../contract/endpoints.ts'
import type { Clock } from '../domain/clock.ts'
import { KEPT_BYTES, readSeenBody } from './body.ts'
import { type BodyFraming, createMessageReader, framingBy, type Head, type MessageReader } from './framing.ts'

interface Half {
  headers: Head['headers']
  /** The complete body, without chunk headers; undefined when it was too large to be kept, or incomplete. */
  bytes: Buffer | undefined
  /** The size of the body in bytes, as far as it arrived. */
  size: number
}

export interface PassedExchange {
  /** When the request began, in ms since 1970. */
  at: number
  ms: number
  request: Half & { method: string; path: string }
  /** The answer; left out when no complete answer arrived. */
  response?: Half & { status: number }
  /** The status of the service's answer, even if it was cut off, or of the proxy's refusal; null if there is neither. */
  status: number | null
  /** Why no complete answer to a request arrived: the kind of fault, or `stopped` if the proxy cut the connection. */
  ended?: string
  held: HeldExchange
}

export interface OpenExchange {
  body(bytes: Buffer): void
  sent(): void
  request(): PlainExchange['request']
  /** Ends the exchange, because the proxy answered the request itself. */
  refused(status: number, held: HeldExchange): void
}

interface Watch {
  begin(method: string, path: string, headers: Head['headers']): OpenExchange
  readonly answers: MessageReader
  open(): number
  /** Whether the connection has changed to another protocol (101). */
  isOver(): boolean
  endAll(kind: string): void
}

interface WatchOptions {
  clock: Clock
  paths: OwnPaths
  passed(exchange: PassedExchange): void
  idle(): void
}

/**
 * Watches the exchanges of one connection. Keeps bodies of up to `KEPT_BYTES` until the answer has ended, for the comparison with the
 * contract.
 */
export function createWatch({ clock, paths, passed, idle }: WatchOptions): Watch {
  const open: Exchange[] = []
  let isOver = false
  const finish = (exchange: Exchange, ended?: string) => {
    open.splice(open.indexOf(exchange), 1)
    passed(exchange.result(clock.monotonic(), paths, ended))
    if (open.length === 0) idle()
  }
  let isInterim = false
  const answers = createMessageReader({
    head(head) {
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.start)?.[1] ?? 0)
      const [exchange] = open
      isInterim = status >= 100 && status < 200 && status !== 101
      if (isInterim) return EMPTY
      if (exchange === undefined) return { by: 'nothing' }
      exchange.answer = { status, headers: head.headers, kept: keptBody() }
      if (status !== 101) return answerFraming(exchange.method, status, head.headers)
      isOver = true
      finish(exchange)
      return { by: 'nothing' }
    },
    raw() {},
    body: (bytes) => open[0]?.answer?.kept.add(bytes),
    end() {
      const [exchange] = open
      if (exchange && !isInterim) finish(exchange)
    },
    broken() {
      for (const each of [...open]) finish(each, 'garbled')
    },
  })
  return {
    begin(method, path, headers) {
      const exchange = newExchange(clock, method, path, headers)
      open.push(exchange)
      return {
        body: exchange.sent.add,
        sent: exchange.sent.end,
        request: exchange.request,
        refused(status, held) {
          exchange.refusal = { status, held }
          finish(exchange)
        },
      }
    },
    answers,
    open: () => open.length,
    isOver: () => isOver,
    endAll(kind) {
      for (const each of [...open]) finish(each, kind)
    },
  }
}

const EMPTY: BodyFraming = { by: 'length', bytes: 0 }

/** Returns how the end of an answer's body is found (RFC 9112, section 6.3). */
function answerFraming(method: string, status: number, headers: Head['headers']): BodyFraming {
  return method === 'HEAD' || status === 204 || status === 304 ? EMPTY : framingBy(headers, { by: 'end' })
}

interface KeptBody {
  add(bytes: Buffer): void
  end(): void
  half(headers: Head['headers']): Half
}

function keptBody(): KeptBody {
  let pieces: Buffer[] = []
  let size = 0
  let isWhole = false
  return {
    add(bytes) {
      size += bytes.length
      if (size <= KEPT_BYTES) pieces.push(bytes)
      else pieces = []
    },
    end() {
      isWhole = true
    },
    half: (headers) => ({
      headers,
      size,
      bytes: isWhole && size <= KEPT_BYTES ? Buffer.concat(pieces) : undefined,
    }),
  }
}

interface Exchange {
  method: string
  sent: KeptBody
  request(): PlainExchange['request']
  answer?: { status: number; headers: Head['headers']; kept: KeptBody }
  refusal?: { status: number; held: HeldExchange }
  result(now: number, paths: OwnPaths, ended: string | undefined): PassedExchange
}

function newExchange(clock: Clock, method: string, path: string, headers: Head['headers']): Exchange {
  const [at, started] = [clock.now(), clock.monotonic()]
  const exchange: Exchange = {
    method,
    sent: keptBody(),
    request: () => ({ method, path, headers, body: bodyOf(exchange.sent.half(headers)) }),
    result(now, paths, ended) {
      const { answer, refusal } = exchange
      answer?.kept.end()
      const status = refusal?.status ?? answer?.status ?? null
      const request = { method, path, ...exchange.sent.half(headers) }
      const common = { at, ms: now - started, request, status }
      if (refusal) return { ...common, held: refusal.held }
      if (ended !== undefined || answer === undefined) {
        const kind = ended ?? 'reset'
        return { ...common, ended: kind, held: holdExchange({ request: exchange.request(), ended: kind }, { paths }) }
      }
      const response = { status: answer.status, ...answer.kept.half(answer.headers) }
      const seen = { request: exchange.request(), response: { ...response, body: bodyOf(response) } }
      return { ...common, response, held: holdExchange(seen, { paths }) }
    },
  }
  return exchange
}

const bodyOf = ({ bytes, size, headers }: Half) => readSeenBody(bytes, size, headers)
