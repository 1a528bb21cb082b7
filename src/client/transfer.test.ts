import { getEventListeners, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTls, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { http, tcpServer } from '../../test/faults/tcp.ts'
import { selfSigned } from '../../test/kit/certificate.ts'
import { machine } from '../../test/kit/harness.ts'
import type { DownloadHead, DownloadRequest, WireFailure } from '../contract/wire.ts'
import { createDownload } from './network.ts'

/** Tests of one download with real sockets: the request, the pieces that are passed on, and the end. */

/** Starts a download. `ended` is the text of the body, or the failure; `chunk` resolves with the first piece. */
function started(url: string, more: Partial<DownloadRequest> = {}, env: Record<string, string> = {}) {
  let text = ''
  const heads: DownloadHead[] = []
  const chunk = Promise.withResolvers<void>()
  const take = (bytes: Uint8Array) => {
    text += Buffer.from(bytes).toString()
    chunk.resolve()
  }
  const begin = (head: DownloadHead) => {
    heads.push(head)
    return { take }
  }
  const request = { url, headers: {}, idleMs: 20_000, timeoutMs: 20_000, ...more }
  const ended = createDownload({ env })(request, begin).then(
    () => text,
    (failure: WireFailure) => failure,
  )
  return { ended, heads, chunk: chunk.promise }
}

const closing = (socket: Socket) => new Promise((closed) => socket.once('close', closed))
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n'

async function portOf(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a server that never answers. `asked` resolves with its first connection after a request has arrived. */
async function silentServer() {
  const asked = Promise.withResolvers<Socket>()
  const server = await tcpServer((socket) => asked.resolve(socket))
  return { url: server.url, server, asked: asked.promise, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a download sends a GET with the given headers, and reports the status and the joined headers', async () => {
  await using server = await tcpServer((socket) =>
    socket.write('HTTP/1.1 206 Partial\r\nX-A: 1\r\nx-a: 2\r\nX-B: 3\r\ncontent-length: 2\r\n\r\nok'),
  )
  const { ended, heads } = started(`${server.url}/a?b=c`, { headers: { accept: '*/*', 'user-agent': 'bnpl/9' } })
  expect(await ended).toBe('ok')
  expect(heads).toEqual([{ status: 206, headers: { 'x-a': '1, 2', 'x-b': '3', 'content-length': '2' } }])
  expect(server.requests[0]).toMatch(
    /^GET \/a\?b=c HTTP\/1\.1\r\nhost: [\d.:]+\r\nconnection: close\r\naccept: \*\/\*\r\nuser-agent: bnpl\/9\r\n\r\n$/,
  )
})

test('a complete download leaves no timer and no connection', async () => {
  await using server = await silentServer()
  fakeTimers()
  const stop = new AbortController()
  const { ended } = started(server.url, { signal: stop.signal })
  expect(vi.getTimerCount()).toBe(2)
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
  const socket = await server.asked
  const closed = closing(socket)
  socket.write(http(200, 'abc'))
  expect(await ended).toBe('abc')
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  await closed
})

test('a time limit over 24.8 days does not end a download early', async () => {
  await using server = await silentServer()
  fakeTimers()
  const { ended } = started(server.url, { idleMs: 25 * 86_400_000, timeoutMs: Number.POSITIVE_INFINITY })
  const socket = await server.asked
  vi.advanceTimersByTime(86_400_000)
  socket.write(http(200, 'abc'))
  expect(await ended).toBe('abc')
})

/** Starts a download, lets 900 ms pass, and waits until its first piece has arrived. */
async function begun(server: Awaited<ReturnType<typeof silentServer>>, timeoutMs: number) {
  fakeTimers()
  const { ended, chunk } = started(server.url, { idleMs: 1_000, timeoutMs })
  const socket = await server.asked
  const closed = closing(socket)
  vi.advanceTimersByTime(900)
  socket.write(`${HEAD}a`)
  await chunk
  return { ended, socket, closed }
}

test('a download continues while pieces arrive, and ends if none arrives within the idle time', async () => {
  await using server = await silentServer()
  const { ended, socket, closed } = await begun(server, 60_000)
  vi.advanceTimersByTime(999)
  await new Promise((turn) => setImmediate(turn))
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await ended).toMatchObject({ kind: 'timeout', sent: true, message: 'no data arrived within 1000 ms' })
  await closed
  expect(vi.getTimerCount()).toBe(0)
})

test('a download that is not complete in time ends, even if pieces still arrive', async () => {
  await using server = await silentServer()
  const { ended, closed } = await begun(server, 1_500)
  vi.advanceTimersByTime(600)
  expect(await ended).toMatchObject({ kind: 'timeout', sent: true, message: 'no complete answer within 1500 ms' })
  await closed
})

test('a signal ends a download with its reason, and closes the connection', async () => {
  await using server = await silentServer()
  const stop = new AbortController()
  const { ended, chunk } = started(server.url, { signal: stop.signal })
  const socket = await server.asked
  const closed = closing(socket)
  socket.write(`${HEAD}a`)
  await chunk
  stop.abort('enough')
  expect(await ended).toMatchObject({ kind: 'aborted', sent: true, message: 'interrupted', cause: 'enough' })
  await closed
})

const trusted = getCACertificates('default')
let identity: ReturnType<typeof selfSigned>
beforeAll(() => {
  using m = machine()
  identity = selfSigned(m.dir, ['DNS:localhost', 'DNS:storage.example'])
})
afterAll(() => setDefaultCACertificates(trusted))

/** Starts a TLS server that calls `answer` when a request has arrived. @returns its port */
async function secureServer(answer: (socket: Socket) => unknown, trustsIt = true): Promise<number> {
  setDefaultCACertificates(trustsIt ? [identity.cert] : trusted)
  const server = createTls(identity, (socket) => socket.on('error', () => {}).once('data', () => answer(socket)))
  return portOf(server.on('tlsClientError', () => {}))
}

test('over TLS every piece arrives, and the request counts as sent once the secure connection is made', async () => {
  const text = Array.from({ length: 40_000 }, (_, n) => n).join()
  const whole = await secureServer((socket) => socket.end(http(200, text)))
  expect(await started(`https://localhost:${whole}`).ended).toBe(text)
  const cut = await secureServer((socket) => socket.destroy())
  expect(await started(`https://localhost:${cut}`).ended).toMatchObject({ kind: 'reset', sent: true })
})

test('with an untrusted certificate nothing is sent, and the failure names an unreadable file of authorities', async () => {
  const port = await secureServer((socket) => socket.end(http(200, 'abc')), false)
  const env = { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' }
  expect(await started(`https://localhost:${port}`, {}, env).ended).toMatchObject({
    kind: 'tls',
    sent: false,
    message: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    facts: { missingAuthorities: '/nowhere/ca.pem' },
  })
})

test('a TLS handshake that never completes ends as a time-out with nothing sent', async () => {
  const port = await portOf(createServer((socket) => socket.on('error', () => {}).resume()))
  expect(await started(`https://localhost:${port}`, { idleMs: 100 }).ended).toMatchObject({
    kind: 'timeout',
    sent: false,
    message: 'no data arrived within 100 ms',
  })
})

test('a download through a proxy is complete, and the proxy connects to the port of the address', async () => {
  const text = 'x'.repeat(200_000)
  const port = await secureServer((socket) => socket.end(http(200, text)))
  await using proxy = await tcpServer((socket) => {
    const onward = connect(port, '127.0.0.1', () => {
      socket.removeAllListeners('data')
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket
        .pipe(onward)
        .on('error', () => {})
        .pipe(socket)
    })
  })
  const env = { HTTPS_PROXY: proxy.url }
  for (const address of ['https://storage.example/a', 'https://storage.example:8443/a'])
    expect(await started(address, {}, env).ended).toBe(text)
  expect(proxy.requests.map((request) => request.split('\r\n')[0])).toEqual([
    'CONNECT storage.example:443 HTTP/1.1',
    'CONNECT storage.example:8443 HTTP/1.1',
  ])
})
