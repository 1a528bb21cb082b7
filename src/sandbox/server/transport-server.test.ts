import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { lastingPort, onceFree } from '../../../test/kit/lasting-port.ts'
import { raw, request, statusOf } from '../../../test/kit/raw-http.ts'
import { type Transport, WireFailure, type WireRequest } from '../../contract/wire.ts'
import { CutAnswer } from '../service/faults.ts'
import {
  SERVER_LIMITS,
  type StreamedResponse,
  startTransportServer,
  type TransportServer,
  type TransportServerOptions,
} from './transport-server.ts'

const open: TransportServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const text = (body: string, headers: Record<string, string> = {}) => ({
  status: 200,
  headers: { 'content-type': 'text/plain', ...headers },
  body: Buffer.from(body),
})

async function serve(transport: Transport, options: Partial<TransportServerOptions> = {}) {
  const faults: unknown[] = []
  const server = await startTransportServer({
    host: '127.0.0.1',
    port: 0,
    onError: (error) => faults.push(error),
    ...options,
  })
  server.answerWith(transport)
  open.push(server)
  return { ...server, faults }
}

test('a request reaches the transport unchanged, and the answer is sent unchanged', async () => {
  const seen: WireRequest[] = []
  const { port } = await serve(async (got) => {
    seen.push(got)
    return text('ñ=\u0000', { 'x-own': '1' })
  })
  const answer = await raw(
    port,
    request(port, 'POST /a%2Fb?c=%20d HTTP/1.1', ['X-Twice: 1', 'X-Twice: 2'], '\xff\x00\xe9'),
  )
  expect(seen[0]).toMatchObject({ method: 'POST', url: `http://127.0.0.1:${port}/a%2Fb?c=%20d` })
  expect(seen[0]?.headers['x-twice']).toBe('1, 2')
  expect(Buffer.from(seen[0]?.body ?? []).toString('latin1')).toBe('\xff\x00\xe9')
  expect(answer).toContain('x-own: 1')
  expect(answer).toContain('x-content-type-options: nosniff')
  expect(answer).not.toMatch(/^(server|x-powered-by|access-control-.*):/im)
  expect(Buffer.from(answer.split('\r\n\r\n')[1] ?? '', 'latin1')).toEqual(Buffer.from('ñ=\u0000'))
})

test('a body in thousands of chunks of one byte is answered 400, and does not reach the transport', async () => {
  const seen: WireRequest[] = []
  const { port } = await serve(async (got) => {
    seen.push(got)
    return text('')
  })
  const answer = await raw(
    port,
    `POST /a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50_000)}0\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*ERR_BAD_REQUEST/)
  expect(seen).toEqual([])
})

test.each([
  ['/', 'GET'],
  ['/partner/webhook', 'GET'],
  ['/pay/widget.js', 'HEAD'],
  ['/pay/?widgetToken=t', 'HEAD'],
  ['/production/pay/embed', 'HEAD'],
  ['/_storage/informes/1.pdf?X-Amz-Signature=s', 'HEAD'],
])('a HEAD of %s arrives as %s, and its answer has no body', async (path, method) => {
  const methods: string[] = []
  const { port } = await serve(async (got) => {
    methods.push(got.method)
    return text('12345')
  })
  const answer = await raw(port, request(port, `HEAD ${path} HTTP/1.1`))
  expect(methods).toEqual([method])
  expect(answer).toContain('content-length: 5')
  expect(answer.endsWith('\r\n\r\n')).toBe(true)
})

test('a body over the limit is answered with 413, with or without Content-Length, and a body at the limit is read', async () => {
  const sizes: number[] = []
  const { port } = await serve(async (got) => {
    sizes.push(got.body?.length ?? 0)
    return text('ok')
  })
  const head = (line: string) => `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${line}\r\n\r\n`
  const limit = SERVER_LIMITS.bodyBytes
  expect(statusOf(await raw(port, head(`Content-Length: ${limit + 1}`)))).toBe(413)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  expect(statusOf(await raw(port, head('Transfer-Encoding: chunked'), ...Array(17).fill(chunk), '0\r\n\r\n'))).toBe(413)
  expect(statusOf(await raw(port, head(`Content-Length: ${limit}`), 'x'.repeat(limit)))).toBe(200)
  expect(sizes).toEqual([limit])
})

test('the cookies of other ports of the host are accepted, and headers over the limit are answered 431 [page 1.2]', async () => {
  const { port } = await serve(async () => text('ok'))
  const cookies = (count: number) =>
    Array.from({ length: count }, (_, i) => `c${i}=${'x'.repeat(4090 - String(i).length)}`).join('; ')
  const ask = (count: number) => raw(port, request(port, 'GET / HTTP/1.1', [`Cookie: ${cookies(count)}`]))
  expect(statusOf(await ask(9))).toBe(200)
  expect(statusOf(await ask(180))).toBe(200)
  expect(statusOf(await ask(260))).toBe(431)
})

test.each([
  ['sends nothing', ''],
  ['stops within the headers', 'POST / HTTP/1.1\r\nHost: 127.0'],
  ['stops within the body', 'POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 9\r\n\r\nabc'],
])('a client that %s is cut', async (_, bytes) => {
  const { port, faults } = await serve(async () => text('ok'), {
    limits: { ...SERVER_LIMITS, headersMs: 200, requestMs: 400 },
  })
  expect(statusOf(await raw(port, bytes.replace('PORT', String(port))))).toBe(408)
  expect(faults).toEqual([])
})

test('an error of the transport is answered as a plain 500 and reported to the owner', async () => {
  const { port, faults } = await serve(async () => {
    throw new Error('secret detail')
  })
  const answer = await raw(port, request(port, 'GET / HTTP/1.1'))
  expect(statusOf(answer)).toBe(500)
  expect(answer).not.toContain('secret detail')
  expect(faults).toHaveLength(1)
})

test('a connection is broken on purpose before an answer or within it', async () => {
  const whole = text('0123456789')
  const { port, faults } = await serve(async ({ url }) => {
    throw url.endsWith('/cut') ? new WireFailure('reset', true, 'cut') : new CutAnswer(whole, 4)
  })
  expect(await raw(port, request(port, 'GET /cut HTTP/1.1'))).toBe('')
  const truncated = await raw(port, request(port, 'GET /truncated HTTP/1.1'))
  expect(truncated).toContain('content-length: 10')
  expect(truncated.split('\r\n\r\n')[1]).toBe('0123')
  expect(faults).toEqual([])
})

test('a streamed answer ends when the reader leaves', async () => {
  const ended = Promise.withResolvers<void>()
  const { port } = await serve(
    async (): Promise<StreamedResponse> => ({
      ...text('first '),
      async *stream(signal) {
        yield Buffer.from('second ')
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        ended.resolve()
      },
    }),
  )
  const socket = connect(port, '127.0.0.1')
  socket.write(request(port, 'GET /_sandbox/events HTTP/1.1'))
  await until(socket, (received) => received.includes('second'))
  socket.destroy()
  await ended.promise
})

test('closing lets a running answer finish, accepts no new connection, and frees the port', async () => {
  const go = Promise.withResolvers<void>()
  const called = Promise.withResolvers<void>()
  const server = await serve(
    async () => {
      called.resolve()
      await go.promise
      return text('late')
    },
    { port: await lastingPort() },
  )
  const slow = raw(server.port, request(server.port, 'GET / HTTP/1.1').replace('Connection: close\r\n', ''))
  await called.promise
  const closed = server.close()
  const refused = () =>
    connected(server.port).then(
      () => 'accepted',
      ({ code }) => code,
    )
  await expect.poll(refused).toBe('ECONNREFUSED')
  go.resolve()
  expect(await slow).toContain('late')
  await closed
  const again = await onceFree(() => serve(async () => text('ok'), { port: server.port }))
  expect(again.port).toBe(server.port)
})

test('closing cuts answers that do not end within the drain time', async () => {
  const called = Promise.withResolvers<void>()
  const server = await serve(
    () => {
      called.resolve()
      return new Promise(() => {})
    },
    { limits: { ...SERVER_LIMITS, drainMs: 100 } },
  )
  const stuck = raw(server.port, request(server.port, 'GET / HTTP/1.1'))
  await called.promise
  await server.close()
  expect(await stuck).toBe('')
})

test('a taken port, or an address of another machine, is a configuration error that says what to do', async () => {
  const { port } = await serve(async () => text('ok'))
  await expect(serve(async () => text('ok'), { port })).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining(String(port)),
    hint: expect.stringContaining('--port'),
  })
  await expect(serve(async () => text('ok'), { host: '192.0.2.1' })).rejects.toMatchObject({
    kind: 'config',
    code: 'BAD_HOST',
  })
})

test('a client that leaves within its body causes no fault report', async () => {
  const { port, faults, close } = await serve(async () => text('ok'))
  const socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve) => {
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\n\r\nabc`, () => resolve())
  })
  socket.resetAndDestroy()
  await close()
  expect(faults).toEqual([])
})

function until(socket: Socket, enough: (received: string) => boolean): Promise<void> {
  let received = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (enough(received)) resolve()
    })
  })
}

function connected(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })
}

test('a request with Expect: 100-continue is refused by its head, or answered with 100 [attack 24]', async () => {
  const { port } = await serve(async () => text('taken'))
  const firstLine = (host: string, length = 2) =>
    new Promise<string>((resolve) => {
      const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\nExpect: 100-continue`
      const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`))
      socket.once('data', (chunk) => {
        resolve(String(chunk).split('\r\n')[0] ?? '')
        socket.destroy()
      })
    })
  expect(await firstLine('evil.example')).toBe('HTTP/1.1 421 Misdirected Request')
  expect(await firstLine(`127.0.0.1:${port}`, SERVER_LIMITS.bodyBytes + 1)).toBe('HTTP/1.1 413 Payload Too Large')
  expect(await firstLine(`127.0.0.1:${port}`)).toBe('HTTP/1.1 100 Continue')
})
