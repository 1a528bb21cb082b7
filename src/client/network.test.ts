import { getEventListeners } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { http, tcpServer } from '../../test/faults/tcp.ts'
import type { WireFailure, WireRequest, WireResponse } from '../contract/wire.ts'
import { createNetwork } from './network.ts'

let network = createNetwork({ env: {} })
afterEach(async () => {
  vi.useRealTimers()
  await network.close()
  network = createNetwork({ env: {} })
})

const send = (url: string, more: Partial<WireRequest> = {}) =>
  network.transport({ method: 'GET', url, headers: {}, timeoutMs: 20_000, maxBytes: 1_000, ...more })

/** Resolves with the text of a call's answer, or with its failure. */
const ending = (call: Promise<WireResponse>) =>
  call.then(
    ({ body }) => Buffer.from(body).toString(),
    (failure: WireFailure) => failure,
  )

const KEPT = http(200, '{}')
const HEAD = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`

/** Resolves when a connection is closed, even if it was reset. */
const closing = (socket: Socket) => new Promise((closed) => socket.once('close', closed))

/** Starts a server that never answers. `request` resolves with the connection of the next request, so that the test can answer. */
async function silentServer() {
  const waiting: Array<(socket: Socket) => void> = []
  const arrived: Socket[] = []
  const server = await tcpServer((socket) => {
    const next = waiting.shift()
    if (next) next(socket)
    else arrived.push(socket)
  })
  const request = (): Promise<Socket> => {
    const socket = arrived.shift()
    if (socket) return Promise.resolve(socket)
    const { promise, resolve } = Promise.withResolvers<Socket>()
    waiting.push(resolve)
    return promise
  }
  return { url: server.url, server, request, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('the request is sent as given, and a body without bytes is not sent', async () => {
  await using server = await tcpServer((socket) => socket.write(KEPT))
  const target = '/a/b?sig=a%2Fb&flag&q=a+b%20c&u=%E1;x=1'
  await send(server.url + target, { headers: { 'x-one': '1' } })
  expect(server.requests[0]?.split(' ')[1]).toBe(target)
  expect(server.requests[0]).toMatch(/^GET \/a\/b\?\S* HTTP\/1\.1\r\nhost: .*\r\n(.+\r\n)*x-one: 1\r\n\r\n$/)
  await send(server.url, { method: 'POST', body: Buffer.from('a=1') })
  expect(server.requests[1]).toMatch(/^POST \/ HTTP.*content-length: 3\r\n\r\na=1$/s)
  for (const body of [{}, { body: new Uint8Array() }]) {
    await send(server.url, { method: 'GET', ...body })
    expect(server.requests.at(-1)).not.toMatch(/content-length|transfer-encoding/)
    await send(server.url, { method: 'POST', ...body })
    expect(server.requests.at(-1)).toMatch(/content-length: 0\r\n\r\n$/)
  }
})

test('an answer has its status, its headers in lower case, and its whole body', async () => {
  const bodies = ['', '1\r\na\r\n', '1\r\na\r\n2\r\nbc\r\n']
  await using server = await tcpServer((socket, _, n) =>
    socket.write(
      `HTTP/1.1 404 No\r\nX-A: 1\r\nx-a: 2\r\nX-B: 3\r\nTransfer-Encoding: chunked\r\n\r\n${bodies[n]}0\r\n\r\n`,
    ),
  )
  for (const text of ['', 'a', 'abc']) {
    const { status, headers, body } = await send(server.url)
    expect([status, headers, Buffer.from(body).toString()]).toEqual([
      404,
      { 'x-a': '1, 2', 'x-b': '3', 'transfer-encoding': 'chunked' },
      text,
    ])
  }
})

test('an answer of the largest size is read; an answer with one byte more ends the call at once, with its status', async () => {
  const full = 'x'.repeat(1_000)
  const answers = [
    http(200, full),
    `${CHUNKED}3e8\r\n${full}\r\n0\r\n\r\n`,
    `${HEAD}content-length: 1001\r\n\r\n`,
    `HTTP/1.1 201 OK\r\ntransfer-encoding: chunked\r\n\r\n3e8\r\n${full}\r\n1\r\ny\r\n0\r\n\r\n`,
    KEPT,
  ]
  const closed: Promise<unknown>[] = []
  await using server = await tcpServer((socket, _, n) => {
    if (n === 2 || n === 3) closed.push(closing(socket))
    socket.write(String(answers[n]))
  })
  for (const _ of [0, 1]) expect(await ending(send(server.url))).toBe(full)
  for (const status of [200, 201])
    expect(await ending(send(server.url))).toMatchObject({
      kind: 'too-large',
      sent: true,
      message: 'the answer is larger than 1000 bytes',
      facts: { status },
    })
  await Promise.all(closed)
  expect(await ending(send(server.url))).toBe('{}')
})

test('an answer in chunks of one byte is joined, and cut off if it has thousands of them', async () => {
  const ones = (bytes: number) => `${CHUNKED}${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`
  await using server = await tcpServer((socket, _, n) => void socket.write(ones(n === 0 ? 4000 : 100_000)))
  const more = { maxBytes: 10_000_000 }
  expect(await ending(send(server.url, more))).toBe('x'.repeat(4000))
  expect(await ending(send(server.url, more))).toMatchObject({
    kind: 'garbled',
    sent: true,
    facts: { status: 200, shredded: true },
  })
})

test('an answer that arrived while the process was held up is read, though the time limit has passed', async () => {
  const large = 'x'.repeat(400_000)
  await using server = await tcpServer((socket) => {
    socket.write(http(200, large))
    // Blocks this thread, as a stopped process or a blocked terminal does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  })
  expect(await ending(send(server.url, { timeoutMs: 100, maxBytes: 1_000_000 }))).toBe(large)
})

test.each([
  ['with an answer', (socket: Socket) => socket.write(KEPT)],
  ['with a failure', (socket: Socket) => socket.destroy()],
])('a call that ended %s leaves no timer', async (_, answer) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await using server = await tcpServer((socket) => void answer(socket))
  const timers = vi.getTimerCount()
  const call = ending(send(server.url, { timeoutMs: 4_711 }))
  expect(vi.getTimerCount()).toBeGreaterThan(timers)
  await call
  await network.close()
  expect(vi.getTimerCount()).toBe(timers)
})

test('an answer that is not complete in time ends the call and its connection', async () => {
  await using server = await silentServer()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const call = ending(send(server.url, { timeoutMs: 4_711 }))
  const socket = await server.request()
  socket.write(`${HEAD}content-length: 2\r\n\r\n{`)
  const closed = closing(socket)
  vi.advanceTimersByTime(4_710)
  await new Promise((turn) => setImmediate(turn))
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await call).toMatchObject({ kind: 'timeout', sent: true, message: 'no complete answer within 4711 ms' })
  await closed
})

test.each([2 ** 31, 30 * 86_400_000, Infinity])(
  'a call with a time limit of %d ms waits for its answer',
  async (timeoutMs) => {
    await using server = await tcpServer((socket) => void setTimeout(() => socket.write(KEPT), 50))
    expect(await ending(send(server.url, { timeoutMs }))).toBe('{}')
  },
)

test('a call whose connection is not made in time ends as not sent, after one attempt to connect', async () => {
  // This server never answers the TLS handshake.
  await using server = await tcpServer(() => {})
  const url = server.url.replace('http:', 'https:')
  const call = ending(send(url, { timeoutMs: 100 }))
  expect(await call).toMatchObject({ kind: 'timeout', sent: false, message: 'no complete answer within 100 ms' })
  await expect.poll(() => server.connections).toBe(1)
})

test('a call whose signal is already aborted is not sent', async () => {
  await using server = await tcpServer((socket) => socket.write(KEPT))
  const signal = AbortSignal.abort('enough')
  expect(await ending(send(server.url, { signal }))).toMatchObject({
    kind: 'aborted',
    sent: false,
    message: 'interrupted',
    cause: 'enough',
  })
  expect(await ending(send(server.url))).toBe('{}')
  expect([server.requests.length, server.connections]).toEqual([1, 1])
})

test('a signal ends the calls that wait for an answer, with its reason, and their connections', async () => {
  await using server = await silentServer()
  const stop = new AbortController()
  const calls = [1, 2, 3].map(() => ending(send(server.url, { signal: stop.signal })))
  const sockets = [await server.request(), await server.request(), await server.request()]
  const closed = Promise.all(sockets.map((socket) => closing(socket)))
  stop.abort('enough')
  for (const call of calls)
    expect(await call).toMatchObject({ kind: 'aborted', sent: true, message: 'interrupted', cause: 'enough' })
  await closed
})

test('a signal ends the call that still waits, and no call that is over; no listener stays on the signal', async () => {
  await using server = await silentServer()
  const stop = new AbortController()
  const over = send(server.url, { signal: stop.signal })
  ;(await server.request()).write(KEPT)
  expect(await ending(over)).toBe('{}')
  const waiting = ending(send(server.url, { signal: stop.signal }))
  await server.request()
  stop.abort()
  expect(await waiting).toMatchObject({ kind: 'aborted' })
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  expect(server.server.connections).toBe(1)
})

test('a connection error is a failure that says whether the request was sent', async () => {
  await using server = await tcpServer((socket, _, n) => {
    if (n === 0) socket.destroy()
    else socket.end(n === 1 ? `${HEAD}content-length: 9\r\nconnection: close\r\n\r\nabc` : 'garbage\r\n\r\n')
  })
  for (const kind of ['reset', 'reset', 'garbled'])
    expect(await ending(send(server.url))).toMatchObject({ kind, sent: true, facts: {} })
  expect(await ending(send('http://127.0.0.1:1'))).toMatchObject({ kind: 'refused', sent: false })
})
