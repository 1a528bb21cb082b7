import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createWebhooks } from '../webhooks.ts'
import { createBodyReader, discardBody } from './request.ts'

const reader = createBodyReader({ mostBytes: 100_000, budgetBytes: 1_000_000 })
const { node } = createWebhooks({ secret: 'secret', onEvent() {}, onError() {} })

/** Answers with the length of the body, or with the status of the refusal. */
const read: RequestListener = (request, response) =>
  reader.read(request, {
    whole: (body) => response.end(String(body.length)),
    refused: (status) => response.writeHead(status, { connection: 'close' }).end(),
  })

/** Serves on a free port. Counts how often Node's parser calls its function for a piece of a body. */
async function serve(handle: RequestListener) {
  const counted = { pieces: 0, parsers: new Set<unknown>() }
  const server = createServer((request, response) => {
    const { parser } = request.socket as unknown as { parser: Record<number, (piece: unknown) => unknown> }
    const own = parser[3]!
    if (!counted.parsers.has(parser))
      parser[3] = function parserOnBody(piece) {
        counted.pieces++
        return own.call(this, piece)
      }
    counted.parsers.add(parser)
    handle(request, response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return { counted, server, port: (server.address() as AddressInfo).port }
}

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n'
const WHOLE = `${HEAD}Connection: close\r\n\r\n${'5\r\nabcde\r\n'.repeat(50)}0\r\n\r\n`

/** Sends bytes on a new connection, and returns what is received until the connection ends. */
async function said(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await new Promise((resolve) => socket.on('close', resolve))
  return text
}

test.each<[string, number, string, RequestListener]>([
  ['that nobody needs', 257, '', (request) => discardBody(request)],
  ['that is read', 4097, '', read],
  [
    'that is read, while its answer is under way',
    4097,
    '',
    (request) => reader.read(request, { whole() {}, refused() {} }),
  ],
  ['of an unsigned delivery, in the library', 257, '', node],
  ['of a signed delivery, in the library', 4097, 'service-signature: 00\r\n', node],
])(
  'of a body in thousands of chunks of one byte %s, Node passes %i pieces, and the next bodies of its parser are whole',
  async (_, most, more, handle) => {
    let isCut = true
    const { port, counted } = await serve((request, response) => (isCut ? handle : read)(request, response))
    // Node reads so many bytes in many turns.
    await said(port, `${HEAD}${more}\r\n${'1\r\nx\r\n'.repeat(200_000)}`)
    expect(counted.pieces).toBeLessThanOrEqual(most)
    isCut = false
    const answers = await Promise.all(Array.from({ length: 4 }, () => said(port, WHOLE)))
    expect(answers.map((answer) => /\r\n\r\n(.*)$/.exec(answer)?.[1])).toEqual(Array(4).fill('250'))
  },
)

test.each([
  ['a CONNECT on the same connection', 'connect', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'an upgrade on the same connection',
    'upgrade',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
  ],
  ['the next request of the same connection', undefined, WHOLE],
])(
  'after a body in thousands of chunks of one byte and %s, the next body of this parser is whole',
  async (_, event, next) => {
    const length = Promise.withResolvers<number>()
    const { port, server } = await serve((request, response) => {
      if (request.headers['service-signature']) return void node(request, response)
      reader.read(request, { whole: (body) => length.resolve(body.length), refused() {} })
    })
    // Node has put the parser back, and gives it to this connection in the same turn.
    if (event !== undefined)
      server.on(event, () => process.nextTick(() => server.emit('connection', connectionWith(WHOLE))))
    const cut = `${HEAD}service-signature: 00\r\n\r\n${'1\r\nx\r\n'.repeat(9000)}0\r\n\r\n${next}`
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(cut)
    expect(await length.promise).toBe(250)
  },
)

test('a stream that is closed while Node drops its body leaves a whole parser to the next connection', async () => {
  const length = Promise.withResolvers<number>()
  const { server } = await serve((request) => {
    if (request.headers['service-signature']) {
      discardBody(request)
      request.socket.on('close', () => server.emit('connection', connectionWith(WHOLE)))
    } else reader.read(request, { whole: (body) => length.resolve(body.length), refused() {} })
  })
  server.emit('connection', connectionWith(`${HEAD}service-signature: 00\r\n\r\n${'1\r\nx\r\n'.repeat(1000)}`))
  expect(await length.promise).toBe(250)
})

/** Returns a connection that is not a socket, as `server.emit('connection')` takes, on which these bytes have arrived. */
function connectionWith(bytes: string): Duplex {
  const [client, connection] = duplexPair()
  for (const end of [client, connection]) end.on('error', () => {})
  client.resume().write(bytes)
  return connection
}
