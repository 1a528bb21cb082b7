import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DeliveryHeaders } from './verification.ts'
import { requireRawBytes } from './verification.ts'

/** The answer to the service: a status and a constant text. */
export interface Answer {
  status: number
  text: string
}

export interface Handling {
  handle(body: Uint8Array, headers: DeliveryHeaders): Promise<Answer>
  /** Called with an error that was answered with 500, for example when the handler was mounted in the wrong place. */
  onError(error: unknown): void
  mostBytes: number
}

/** Other code may have read the body of an Express request already. */
type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

/** A handler of node:http, Express or Connect. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>

/** Returns the handler for node:http, Express and Connect. It reads the raw body, and answers every request. */
export function nodeHandler(handling: Handling): NodeHandler {
  return async (request, response) => {
    const { status, text } = await answerTo(request, handling)
    if (response.headersSent || response.destroyed) return
    // The rest of a body that is too long is not read, so the connection cannot be used again.
    if (status === 413) response.setHeader('connection', 'close')
    if (status === 405) response.setHeader('allow', 'POST')
    response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(text) }).end(text)
  }
}

async function answerTo(request: NodeRequest, handling: Handling): Promise<Answer> {
  if (request.method !== 'POST') return NOT_POST
  try {
    const body = await rawBody(request, handling.mostBytes)
    return body === undefined ? TOO_LARGE : await handling.handle(body, request.headers)
  } catch (error) {
    // If the sender has disconnected, there is nothing to report.
    if (!request.readableAborted) handling.onError(error)
    return FAULT
  }
}

/** Returns the raw body of a request; undefined when it is too long. Throws `TypeError` if only a parsed body is left. */
async function rawBody(request: NodeRequest, most: number): Promise<Uint8Array | undefined> {
  for (const read of [request.rawBody, request.body]) {
    const bytes = typeof read === 'string' ? Buffer.from(read) : read
    if (bytes instanceof Uint8Array) return bytes.length > most ? undefined : bytes
  }
  if (request.readableDidRead)
    throw new TypeError(
      'the body was parsed before it was verified, and the raw bytes are needed. Mount the webhook handler before express.json()',
    )
  const parts: Uint8Array[] = []
  let length = 0
  // Keep the request's stream open even if it is not read to its end. Closing it would close the connection before the answer is sent.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    requireRawBytes(part)
    length += part.length
    if (length > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** A handler that takes a `Request` and returns a `Response` (Next, Hono, workers, Deno, Bun). */
export type FetchHandler = (request: Request) => Promise<Response>

/** Returns the handler for frameworks with `Request` and `Response`. */
export function fetchHandler(handling: Handling): FetchHandler {
  return async (request) => {
    const { status, text } = await answerToFetch(request, handling)
    const headers = { 'content-type': 'text/plain', ...(status === 405 ? { allow: 'POST' } : {}) }
    return new Response(text, { status, headers })
  }
}

async function answerToFetch(request: Request, { handle, onError, mostBytes }: Handling): Promise<Answer> {
  if (request.method !== 'POST') return NOT_POST
  try {
    if (request.bodyUsed)
      throw new TypeError(
        'the body was read before it was verified, and the raw bytes are needed. Give the request to the webhook handler first',
      )
    const parts: Uint8Array[] = []
    let length = 0
    for await (const part of chunksOf(request.body)) {
      requireRawBytes(part)
      length += part.length
      if (length > mostBytes) return TOO_LARGE
      parts.push(part)
    }
    return await handle(Buffer.concat(parts), request.headers)
  } catch (error) {
    onError(error)
    return FAULT
  }
}

/**
 * Returns the chunks of a body. Some servers replace the stream with the bytes that they have read. Throws `TypeError` for a parsed body.
 */
function chunksOf(body: Request['body']): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (body === null || body === undefined) return []
  if (Symbol.asyncIterator in Object(body)) return body
  requireRawBytes(body)
  return [body]
}

const NOT_POST: Answer = { status: 405, text: 'method not allowed\n' }
const TOO_LARGE: Answer = { status: 413, text: 'too large\n' }
/** The answer after an error of the program that handles the event. */
export const FAULT: Answer = { status: 500, text: 'fault\n' }
