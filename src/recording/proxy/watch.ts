import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { compareExchange } from '../../contract/compare/compare.ts'
import {
  type ComparedExchange,
  headerIn,
  mediaType,
  type PlainBody,
  type PlainExchange,
  type Unread,
} from '../../contract/compare/exchange.ts'
import type { ServiceDescription } from '../../contract/description.ts'
import type { OwnPaths } from '../../contract/endpoints.ts'
import { FORM_TYPE, formEntries } from '../../contract/form.ts'
import { BodyBytes } from '../../domain/body-bytes.ts'
import type { Clock } from '../../domain/clock.ts'
import { parseJsonText } from '../../text/json-text.ts'

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
  /** Why no complete answer to a request arrived: the kind of failure, or `stopped` if the proxy cut the connection. */
  ended?: string
  compared: ComparedExchange
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
  refused(status: number, compared: ComparedExchange): void
  /** Ends the exchange: without `kind` with its complete answer. Has no effect if the exchange has ended. */
  end(kind?: string): void
}

/** Watches an exchange: keeps the bodies, compares the exchange with the contract at its end, and reports it once. */
export function watchExchange(
  options: WatchOptions,
  { method, path, headers }: { method: string; path: string; headers: HeaderPairs },
): WatchedExchange {
  const { clock } = options
  const [at, started] = [clock.now(), clock.monotonic()]
  const sent = keptBody()
  let answer: { status: number; headers: HeaderPairs; kept: KeptBody } | undefined
  let isOver = false
  const plainRequest = () => ({ method, path, headers, body: bodyOf(sent.half(headers)) })
  const report = (rest: Pick<PassedExchange, 'compared'> & Partial<PassedExchange>) => {
    if (isOver) return
    isOver = true
    const request = { method, path, ...sent.half(headers) }
    options.passed({ at, ms: clock.monotonic() - started, request, status: answer?.status ?? null, ...rest })
  }
  return {
    sent,
    request: plainRequest,
    answered(status, answerHeaders) {
      const kept = keptBody()
      answer = { status, headers: answerHeaders, kept }
      return kept
    },
    refused: (status, compared) => report({ status, compared }),
    end(kind) {
      if (isOver) return
      if (kind !== undefined || answer === undefined) {
        const ended = kind ?? 'reset'
        return report({ ended, compared: compareExchange({ request: plainRequest(), ended }, options) })
      }
      answer.kept.end()
      const response = { status: answer.status, ...answer.kept.half(answer.headers) }
      const seen = { request: plainRequest(), response: { ...response, body: bodyOf(response) } }
      report({ response, compared: compareExchange(seen, options) })
    },
  }
}

const bodyOf = ({ bytes, size, headers }: Half) => readSeenBody(bytes, size, headers)

/**
 * The maximum size of a body that is compared with the contract, in bytes. After decompression, the limit is four times as large. A larger
 * body is not compared, but the rest of its message is. With --strict, a request with a larger body is refused.
 */
export const KEPT_BYTES = 256 * 1024

const UNPACK: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/**
 * Returns the content of a body that is JSON, a form or text, for the comparison with the contract. For any other body, returns only its
 * size and why its content is left out, such as `pdf` or `undecodable`. Returns undefined for an empty body. Never throws.
 * @param bytes undefined when the body was too large to be kept
 * @param size the size of the body as it was sent
 */
export function readSeenBody(
  bytes: Uint8Array | undefined,
  size: number,
  headers: readonly (readonly [string, string])[],
): PlainBody | undefined {
  if (size === 0) return undefined
  const plain = unpacked(bytes, headerIn(headers, 'content-encoding'))
  if (typeof plain === 'string') return { omitted: plain, bytes: size }
  if (plain.length === 0) return undefined
  if (!isUtf8(plain)) return { omitted: 'binary', bytes: size }
  const text = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('utf8')
  if (text.startsWith('%PDF-')) return { omitted: 'pdf', bytes: size }
  const type = mediaType(headers)
  if (type === FORM_TYPE && !/^\s*[{[]/.test(text)) return { form: [...formEntries(text)] }
  if (/^\s*[{["\dtfn-]/.test(text) || /[/+]json$/.test(type)) {
    const read = parseJsonText(plain)
    if (read.ok) return { json: read.value }
    if (/[/+]json$/.test(type)) return { omitted: 'broken-json', bytes: size }
  }
  return { text }
}

/** Returns the decompressed bytes of a body; undefined if it is empty; only its size and the reason if they cannot be read. */
export function plainBody(
  bytes: Uint8Array | undefined,
  size: number,
  headers: readonly (readonly [string, string])[],
): Uint8Array | { bytes: number; unread: Unread } | undefined {
  if (size === 0) return undefined
  const plain = unpacked(bytes, headerIn(headers, 'content-encoding'))
  return typeof plain === 'string' ? { bytes: size, unread: plain } : plain
}

/** The most codings that are removed from a body, one after the other. Node's `fetch` has the same limit. */
const MOST_CODINGS = 5

function unpacked(bytes: Uint8Array | undefined, encoding = ''): Uint8Array | Unread {
  if (bytes === undefined) return 'too-large'
  const codings = encoding
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '' && name !== 'identity')
  if (codings.length > MOST_CODINGS) return 'undecodable'
  let plain = bytes
  try {
    for (const name of codings.reverse()) {
      const unpack = UNPACK[name]
      if (unpack === undefined) return 'undecodable'
      plain = unpack(plain, { maxOutputLength: KEPT_BYTES * 4 })
    }
    return plain
  } catch (error) {
    return error instanceof RangeError ? 'too-large' : 'undecodable'
  }
}
