import { type Answer, FAULT, type Handling } from './adapters.ts'
import { type DeliveryHeaders, requireRawBytes } from './verification.ts'

interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void,
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
  send(text: string): unknown
}

/** A plugin of Fastify: `app.register(webhooks.fastify, { path: '/webhooks' })`. */
export type FastifyPlugin = (instance: FastifyLike, options: { path: string }) => Promise<void>

/** Returns the plugin for Fastify. It registers a POST route at the path in its options, with a parser that keeps the raw body. */
export function fastifyPlugin(handling: Handling): FastifyPlugin {
  return async (instance, { path }) => {
    instance.removeAllContentTypeParsers()
    const keep = (_: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body)
    instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: handling.mostBytes }, keep)
    instance.post(path, async ({ body, headers }, reply) => {
      const { status, text } = await answerToRead(body ?? Buffer.alloc(0), headers, handling)
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
