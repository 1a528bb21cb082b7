import { compareExchange } from '../contract/compare/compare.ts'
import type { ComparedExchange, PlainExchange } from '../contract/compare/exchange.ts'
import type { ServiceDescription } from '../contract/description.ts'
import type { OwnPaths } from '../contract/endpoints.ts'
import { BodyBytes } from '../domain/body-bytes.ts'
import type { Clock } from '../domain/clock.ts'
import { KEPT_BYTES, readSeenBody } from './body.ts'

/** The headers in their original order, with their names in the original case. */
export type HeaderPairs = [name: string, value: string][]

interface Half {
  headers: HeaderPairs
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
  held: ComparedExchange
}

interface KeptBody {
  /** Adds bytes. Returns false if the sender cuts the body into so many small pieces that it should not be passed on. */
  add(bytes: Buffer): boolean
  end(): void
  half(headers: HeaderPairs): Half
}

function keptBody(): KeptBody {
  const body = new BodyBytes()
  let isWhole = false
  return {
    add(bytes) {
      if (body.size + bytes.length <= KEPT_BYTES) body.add(bytes)
      else {
        body.drop()
        body.skip(bytes)
      }
      return !body.isShredded
    },
    end() {
      isWhole = true
    },
    half: (headers) => ({
      headers,
      size: body.size,
      bytes: isWhole && body.size <= KEPT_BYTES ? body.bytes() : undefined,
    }),
  }
}

interface WatchOptions {
  clock: Clock
  paths: OwnPaths
  /** The service. The default is the specification. */
  description?: ServiceDescription
  passed(exchange: PassedExchange): void
}

export interface WatchedExchange {
  /** The body of the request, of which at most `KEPT_BYTES` are kept for the comparison with the contract. */
  readonly sent: KeptBody
  request(): PlainExchange['request']
  /** Notes the head of the answer. @returns the body of the answer */
  answered(status: number, headers: HeaderPairs): KeptBody
  /** Ends the exchange, because the proxy answered the request itself. */
  refused(status: number, held: ComparedExchange): void
  /** Ends the exchange: without `kind` with its complete answer. Has no effect if the exchange has ended. */
  end(kind?: string): void
}

/** Watches an exchange: keeps the bodies, compares the exchange with the contract at its end, and reports it once. */
export function watchExchange(
  { clock, paths, description, passed }: WatchOptions,
  { method, path, headers }: { method: string; path: string; headers: HeaderPairs },
): WatchedExchange {
  const [at, started] = [clock.now(), clock.monotonic()]
  const sent = keptBody()
  let answer: { status: number; headers: HeaderPairs; kept: KeptBody } | undefined
  let isOver = false
  const plainRequest = () => ({ method, path, headers, body: bodyOf(sent.half(headers)) })
  const report = (rest: Pick<PassedExchange, 'held'> & Partial<PassedExchange>) => {
    if (isOver) return
    isOver = true
    const request = { method, path, ...sent.half(headers) }
    passed({ at, ms: clock.monotonic() - started, request, status: answer?.status ?? null, ...rest })
  }
  return {
    sent,
    request: plainRequest,
    answered(status, answerHeaders) {
      const kept = keptBody()
      answer = { status, headers: answerHeaders, kept }
      return kept
    },
    refused: (status, held) => report({ status, held }),
    end(kind) {
      if (isOver) return
      if (kind !== undefined || answer === undefined) {
        const ended = kind ?? 'reset'
        return report({ ended, held: compareExchange({ request: plainRequest(), ended }, { paths }) })
      }
      answer.kept.end()
      const response = { status: answer.status, ...answer.kept.half(answer.headers) }
      const seen = { request: plainRequest(), response: { ...response, body: bodyOf(response) } }
      report({ response, held: compareExchange(seen, { paths, ...(description && { description }) }) })
    },
  }
}

const bodyOf = ({ bytes, size, headers }: Half) => readSeenBody(bytes, size, headers)
