import { type Answer, FAULT, type Handling, readWhole } from './adapters.ts'
import { type DeliveryHeaders, requireRawBytes } from './verification.ts'

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
