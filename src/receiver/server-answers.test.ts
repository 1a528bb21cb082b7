import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, connectionLimit, LIMITS, MAX_BODY_BYTES, serveDeliveries } from './server.ts'

type Options = Parameters<typeof serveDeliveries>[0]

/** A delivery server that answers with a status, and everything that it reported. */
async function serve(status = 200, more: Partial<Options> = {}) {
  const refused: [number, string][] = []
  const faults: unknown[] = []
  const bodies: number[] = []
  const answers: ((status: number) => void)[] = []
  const door = await serveDeliveries({
    host: '127.0.0.1',
    port: 0,
    path: '/webhooks',
    hosts: ['shop.example'],
    canBeGenuine: () => true,
    closesConnections: () => false,
    onError: (error) => faults.push(error),
    onDelivery: (_, body, answer) => {
      bodies.push(body.length)
      answers.push(answer)
      answer(status)
    },
    onRefused: (code, from) => refused.push([code, from]),
    ...more,
  })
  onTestFinished(() => door.close())
  return { door, port: door.port, refused, faults, bodies, answers }
}

interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

/** The answers to bytes that are sent on one connection. It ends after `count` answers, or when the server closes the connection. */
async function said(port: number, sent: string | Buffer, count = 1): Promise<Answer[]> {
  const socket = connect(port, '127.0.0.1', () => socket.write(sent))
  let rest = ''
  const answers: Answer[] = []
  socket.on('error', () => {})
  for await (const chunk of socket) {
    rest += chunk
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
      const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]))
      const length = Number(headers['content-length'] ?? 0)
      if (rest.length < end + 4 + length) break
      answers.push({ status: Number(first.split(' ')[1]), headers, text: rest.slice(end + 4, end + 4 + length) })
      rest = rest.slice(end + 4 + length)
    }
    if (answers.length >= count) break
  }
  return answers
}

const head = ({
  method = 'POST',
  path = '/webhooks',
  host = 'shop.example',
  length = '2',
  ...headers
}: Record<string, string> = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(length === '' ? [] : [`Content-Length: ${length}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

test.each<[number, string]>([
  [200, 'ok\n'],
  [401, 'not verified\n'],
  [500, 'fault\n'],
  [503, 'not stored\n'],
  [418, 'refused\n'],
])('a delivery is answered with %i and a constant text', async (status, text) => {
  const { port, bodies } = await serve(status)
  const [answer] = await said(port, `${head()}{}`)
  expect(answer).toMatchObject({
    status,
    text,
    headers: { 'content-type': 'text/plain', 'content-length': String(text.length), connection: 'keep-alive' },
  })
  expect(answer?.headers.allow).toBeUndefined()
  expect(answer?.headers['retry-after']).toBe(status === 503 ? '5' : undefined)
  expect(bodies).toEqual([2])
})

test.each<[number, string, Record<string, string>]>([
  [404, 'not found\n', { path: '/elsewhere' }],
  [404, 'not found\n', { path: '/webhooks/' }],
  [405, 'method not allowed\n', { method: 'PUT' }],
  [413, 'too large\n', { length: String(MAX_BODY_BYTES + 1) }],
  [415, 'unsupported media type\n', { 'Content-Encoding': 'gzip' }],
  [421, 'misdirected request\n', { host: 'evil.example' }],
])('a request is refused with %i by its head alone, before its body arrives (%s%o)', async (status, text, wrong) => {
  const { port, bodies, refused } = await serve()
  const [answer] = await said(port, head(wrong))
  expect(answer).toMatchObject({ status, text, headers: { connection: 'keep-alive' } })
  expect(answer?.headers.allow).toBe(status === 405 ? 'POST' : undefined)
  expect(refused).toEqual([[status, '127.0.0.1']])
  expect(bodies).toEqual([])
})

/** A body in chunks of so many bytes. */
const chunked = (bytes: number, size: number) => {
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
  return `${chunk.repeat(bytes / size)}0\r\n\r\n`
}
const CHUNKED = { length: '', 'Transfer-Encoding': 'chunked' }

test.each([1, 2, 7])('a body in thousands of chunks of %i bytes is 400, and the connection is closed', async (size) => {
  const { port, bodies, refused } = await serve()
  const [answer] = await said(port, `${head(CHUNKED)}${chunked(700_000, size)}`)
  expect(answer).toMatchObject({ status: 400, text: 'bad request\n', headers: { connection: 'close' } })
  expect([refused, bodies]).toEqual([[[400, '127.0.0.1']], []])
})

test('a body in chunks of one byte is read if it is small, and a large one if its chunks are larger', async () => {
  const { port, bodies } = await serve()
  await said(port, `${head(CHUNKED)}${chunked(4000, 1)}`)
  await said(port, `${head(CHUNKED)}${chunked(640_000, 64)}`)
  expect(bodies).toEqual([4000, 640_000])
})

test('the body of a request that cannot be genuine is not read, unless its length is declared', async () => {
  const { port, bodies } = await serve(401, { canBeGenuine: () => false })
  const [answer] = await said(port, head(CHUNKED))
  expect(answer).toMatchObject({ status: 401, headers: { connection: 'keep-alive' } })
  await said(port, `${head()}{}`)
  expect(bodies).toEqual([0, 2])
})

test.each([
  {},
  { path: '/webhooks?a=1?b' },
  { 'Content-Encoding': 'Identity' },
  { 'Content-Type': 'application/json' },
  { 'Content-Type': ' text/json;charset=utf-8' },
  { 'Content-Type': 'APPLICATION/vnd.shop-1+json ; v=1' },
  // The content type decides nothing, because the signature or the token decides.
  { 'Content-Type': 'text/html' },
  { 'Content-Type': 'application/jsonp' },
  { 'Content-Type': 'x application/json' },
  { 'Content-Type': 'image/json' },
  { 'Content-Type': '' },
  { host: '127.0.0.1' },
])('a delivery with this in its head is accepted: %o', async (more) => {
  const { port } = await serve()
  expect(await said(port, `${head(more)}{}`)).toMatchObject([{ status: 200 }])
})

test('a body of just the limit is read', async () => {
  const { port, bodies } = await serve()
  const whole = Buffer.concat([
    Buffer.from(head({ length: String(MAX_BODY_BYTES) })),
    Buffer.alloc(MAX_BODY_BYTES, 'x'),
  ])
  expect(await said(port, whole)).toMatchObject([{ status: 200 }])
  expect(bodies).toEqual([MAX_BODY_BYTES])
})

test('a body that turns out to be larger than the limit is 413', async () => {
  const { port, refused } = await serve()
  const chunked = head({ length: '', 'Transfer-Encoding': 'chunked' })
  const large = `${(MAX_BODY_BYTES + 1).toString(16)}\r\n${'x'.repeat(MAX_BODY_BYTES + 1)}\r\n0\r\n\r\n`
  expect(await said(port, chunked + large)).toMatchObject([{ status: 413, text: 'too large\n' }])
  expect(refused).toEqual([[413, '127.0.0.1']])
})

test('a load balancer may use any Host for GET /healthz, but for no other method or path', async () => {
  const { port, refused } = await serve()
  const probe = { path: '/healthz', host: '10.1.2.3', length: '' }
  expect(await said(port, head({ ...probe, method: 'GET' }))).toMatchObject([{ status: 200, text: 'ok\n' }])
  expect(refused).toEqual([])
  expect(await said(port, head({ ...probe, method: 'POST', length: '0' }))).toMatchObject([{ status: 421 }])
  expect(await said(port, head({ ...probe, method: 'GET', path: '/webhooks' }))).toMatchObject([{ status: 421 }])
  expect(await said(port, head({ ...probe, method: 'POST', host: 'shop.example', length: '0' }))).toMatchObject([
    { status: 404 },
  ])
})

test('a connection is closed after the answer while the receiver closing, and after Expect: 100-continue', async () => {
  let closing = true
  const { port } = await serve(200, { closesConnections: () => closing })
  expect(await said(port, `${head()}{}`)).toMatchObject([{ headers: { connection: 'close' } }])
  closing = false
  expect(await said(port, `${head()}{}`)).toMatchObject([{ headers: { connection: 'keep-alive' } }])
  const asking = head({ Expect: '100-continue' })
  expect(await said(port, `${asking}{}`, 2)).toMatchObject([
    { status: 100 },
    { status: 200, headers: { connection: 'close' } },
  ])
})

test('a request after one that was refused has its own answer on the same connection', async () => {
  const { port, refused } = await serve()
  const answers = await said(port, `${head({ path: '/elsewhere' })}{}${head()}{}`, 2)
  expect(answers.map(({ status }) => status)).toEqual([404, 200])
  expect(refused).toEqual([[404, '127.0.0.1']])
})

test('a request that is not HTTP or has too long a head is answered with an error, and its connection is closed', async () => {
  const { port, refused } = await serve()
  const [wrong] = await said(port, 'NONSENSE\r\n\r\n', 2)
  expect(wrong).toEqual({ status: 400, headers: { connection: 'close' }, text: '' })
  const [long] = await said(port, head({ 'X-Long': 'y'.repeat(LIMITS.headBytes) }), 2)
  expect(long).toEqual({ status: 431, headers: { connection: 'close' }, text: '' })
  expect(refused).toEqual([
    [400, '127.0.0.1'],
    [431, '127.0.0.1'],
  ])
})

test('a head or a body that comes too slowly is 408', async () => {
  const { port, refused } = await serve()
  const [slowHead, slowBody] = await Promise.all([
    said(port, 'POST /webhooks HTTP/1.1\r\nHo', 2),
    said(port, `${head()}{`, 2),
  ])
  expect([slowHead, slowBody]).toEqual([
    [{ status: 408, headers: { connection: 'close' }, text: '' }],
    [{ status: 408, headers: { connection: 'close' }, text: '' }],
  ])
  expect(refused).toEqual([
    [408, '127.0.0.1'],
    [408, '127.0.0.1'],
  ])
})

test('a fault of the receiver is reported and answered with 500, unless an answer was already given', async () => {
  const fault = new TypeError('a fault of the test')
  const failing = await serve(200, {
    onDelivery: () => {
      throw fault
    },
  })
  expect(await said(failing.port, `${head()}{}`)).toMatchObject([{ status: 500, text: 'fault\n' }])
  expect(failing.faults).toEqual([fault])
  const late = await serve(200, {
    onDelivery: (_request: IncomingMessage, _body: Buffer, answer: (status: number) => void) => {
      answer(200)
      throw fault
    },
  })
  expect(await said(late.port, `${head()}{}`)).toMatchObject([{ status: 200 }])
  expect(late.faults).toEqual([fault])
})

test('an answer to a client that has gone is no fault', async () => {
  let answer: ((status: number) => void) | undefined
  const { door, faults } = await serve(200, {
    onDelivery: (_request: IncomingMessage, _body: Buffer, given: (status: number) => void) => {
      answer = given
    },
  })
  const socket = connect(door.port, '127.0.0.1', () => socket.write(`${head()}{}`))
  await expect.poll(() => answer).toBeDefined()
  socket.destroy()
  await expect.poll(() => door.connections()).toBe(0)
  answer?.(200)
  expect(faults).toEqual([])
})

test('the address of a connection without a remote address is unknown', () => {
  expect(addressOf({ remoteAddress: '10.0.0.9' } as Socket)).toBe('10.0.0.9')
  expect(addressOf({} as Socket)).toBe('unknown')
})

test('the connection limit is the limit of open files less our own files, and undefined without a known limit', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-limits-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const path = join(dir, 'limits')
  const limited = (text: string) => {
    writeFileSync(path, text)
    return connectionLimit(path)
  }
  const table = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit\nMax open files            ${soft}                 4096                 files\n`
  expect(limited(table('1024'))).toBe(1024 - 32)
  expect(limited(table('20'))).toBe(0)
  expect(limited(table('unlimited'))).toBeUndefined()
  expect(limited('no Max open files 1024')).toBeUndefined()
  expect(connectionLimit(join(dir, 'nothing'))).toBeUndefined()
  expect(connectionLimit()).toBeGreaterThan(0)
})
