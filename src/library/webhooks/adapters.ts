import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyBytes } from '../../domain/body-bytes.ts'
import { discardBody, dumpRest } from '../../http-server/request.ts'
import { type DeliveryHeaders, isRawBytes, requireRawBytes } from './verification.ts'

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
  /** Whether a request has the header with which deliveries are verified. The body of any other request is not read. */
  isSigned(headers: DeliveryHeaders): boolean
}

/** Other code may have read the body of an Express request already. */
type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown }

/** A handler of node:http, Express or Connect. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>

/** Returns the handler for node:http, Express and Connect. It reads the raw body, and answers every request. */
export function nodeHandler(handling: Handling): NodeHandler {
  return async (request, response) => {
    const answer = await answerTo(request, handling)
    const { status, text } = answer
    if (response.headersSent || response.destroyed) return
    // The rest of a refused body is not needed, so close the connection.
    if (answer === TOO_LARGE || answer === SHREDDED) response.setHeader('connection', 'close')
    if (status === 405) response.setHeader('allow', 'POST')
    response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(text) }).end(text)
  }
}

async function answerTo(request: NodeRequest, handling: Handling): Promise<Answer> {
  if (request.method !== 'POST') return NOT_POST
  try {
    const body = await rawBody(request, handling)
    return 'status' in body ? body : await handling.handle(body, request.headers)
  } catch (error) {
    // If the sender has disconnected, there is nothing to report.
    if (!request.readableAborted) handling.onError(error)
    return FAULT
  }
}

/** Returns the raw body of a request, or the answer that refuses it. Throws `TypeError` if only a parsed body is left. */
async function rawBody(request: NodeRequest, { mostBytes, isSigned }: Handling): Promise<Uint8Array | Answer> {
  for (const read of [request.rawBody, request.body]) {
    const bytes = typeof read === 'string' ? Buffer.from(read) : read
    if (isRawBytes(bytes)) return bytes.length > mostBytes ? TOO_LARGE : bytes
  }
  if (request.readableDidRead)
    throw new TypeError(
      'the body was parsed before it was verified, and the raw bytes are needed. Mount the webhook handler before express.json()',
    )
  if (isSigned(request.headers)) return readWhole(request, mostBytes)
  discardBody(request)
  request.on('error', () => {})
  return NOTHING
}

/**
 * Reads the body of a request. Returns the answer that refuses it if it is larger than `most` bytes, or comes in thousands of pieces of a
 * few bytes. The stream stays open, because closing it would close the connection before the answer is sent. Rejects if the body is cut.
 */
function readWhole(stream: NodeJS.ReadableStream, most: number): Promise<Uint8Array | Answer> {
  return new Promise((resolve, reject) => {
    const body = new BodyBytes()
    let refusal: Answer | undefined
    stream.on('data', (piece: unknown) => {
      if (refusal) return
      try {
        requireRawBytes(piece)
      } catch (error) {
        refusal = FAULT
        return reject(error)
      }
      body.add(piece)
      refusal = refusalOf(body, most)
      if (refusal === undefined) return
      body.drop()
      resolve(refusal)
      if (refusal === SHREDDED && 'socket' in stream) dumpRest(stream as IncomingMessage)
    })
    stream.on('end', () => resolve(body.bytes()))
    stream.on('error', reject)
    // Without effect after the end. Some streams close without an error when the client disconnects.
    stream.on('close', () => reject(new Error('the connection was closed before the end of the body')))
  })
}

function refusalOf(body: BodyBytes, most: number): Answer | undefined {
  if (body.size > most) return TOO_LARGE
  return body.isShredded ? SHREDDED : undefined
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

async function answerToFetch(request: Request, { handle, onError, mostBytes, isSigned }: Handling): Promise<Answer> {
  if (request.method !== 'POST') return NOT_POST
  try {
    if (request.bodyUsed)
      throw new TypeError(
        'the body was read before it was verified, and the raw bytes are needed. Give the request to the webhook handler first',
      )
    if (!isSigned(request.headers) && typeof request.body?.cancel === 'function') {
      request.body.cancel().catch(() => {})
      return await handle(NOTHING, request.headers)
    }
    const body = new BodyBytes()
    for await (const piece of chunksOf(request.body)) {
      requireRawBytes(piece)
      body.add(piece)
      const refusal = refusalOf(body, mostBytes)
      if (refusal) return refusal
    }
    return await handle(body.bytes(), request.headers)
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

const NOTHING = Buffer.alloc(0)
const NOT_POST: Answer = { status: 405, text: 'method not allowed\n' }
const TOO_LARGE: Answer = { status: 413, text: 'too large\n' }
const SHREDDED: Answer = { status: 400, text: 'too many small chunks\n' }
/** The answer after an error of the program that handles the event. */
const FAULT: Answer = { status: 500, text: 'fault\n' }

interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: NodeJS.ReadableStream) => Promise<unknown>,
  ): unknown
  post(
    path: string,
    handler: (
      request: { body: unknown; headers: Readonly<Record<string, string | string[] | undefined>> },
      reply: FastifyReplyLike,
    ) => Promise<unknown>,
  ): unknown
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike
  type(type: string): FastifyReplyLike
  header(name: string, value: string): FastifyReplyLike
  send(text: string): unknown
}

/** A plugin of Fastify: `app.register(webhooks.fastify, { path: '/webhooks' })`. */
export type FastifyPlugin = (instance: FastifyLike, options: { path: string }) => Promise<void>

/** A body that the parser refused, in the place of the parsed body. */
class Refused {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

/**
 * Returns the plugin for Fastify. It registers a POST route at the path in its options, with a parser that keeps the raw body. The parser
 * reads the body itself, because Fastify's own reader would keep an object for every chunk.
 */
export function fastifyPlugin(handling: Handling): FastifyPlugin {
  return async (instance, { path }) => {
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', async (_, payload) => {
      const body = await readWhole(payload, handling.mostBytes)
      return 'status' in body ? new Refused(body) : body
    })
    instance.post(path, async ({ body, headers }, reply) => {
      const isRefused = body instanceof Refused
      const { status, text } = isRefused ? body.answer : await answerToRead(body ?? Buffer.alloc(0), headers, handling)
      if (isRefused) reply.header('connection', 'close')
      return reply.code(status).type('text/plain').send(text)
    })
  }
}

/** Returns the answer to a request whose body the server has read. Other code of the server may also have parsed this body. */
async function answerToRead(body: unknown, headers: DeliveryHeaders, { handle, onError }: Handling): Promise<Answer> {
  try {
    requireRawBytes(body)
    return await handle(body, headers)
  } catch (error) {
    onError(error)
    return FAULT
  }
}
