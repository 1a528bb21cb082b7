import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTls, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { http, tcpServer } from '../../test/faults/tcp.ts'
import { selfSigned } from '../../test/kit/certificate.ts'
import { machine } from '../../test/kit/harness.ts'
import type { WireFailure, WireRequest } from '../contract/wire.ts'
import { createNetwork } from './network.ts'

/** Tests of the connections that calls use, with real sockets. */

const networks: Array<{ close(): Promise<void> }> = []
afterEach(async () => {
  for (const network of networks.splice(0)) await network.close()
})

/** Returns functions that send calls over one network. `ended` resolves with the text of the answer, or with the failure. */
function callerOf(env: Record<string, string> = {}) {
  const network = createNetwork({ env })
  networks.push(network)
  const send = (url: string, more: Partial<WireRequest> = {}) =>
    network.transport({ method: 'GET', url, headers: {}, timeoutMs: 20_000, maxBytes: 100_000, ...more })
  const ended = (...call: Parameters<typeof send>) =>
    send(...call).then(
      ({ body }) => Buffer.from(body).toString(),
      (failure: WireFailure) => failure,
    )
  return { send, ended, close: network.close }
}

const closing = (socket: Socket) => new Promise((closed) => socket.once('close', closed))
const turn = () => new Promise((done) => setImmediate(done))

async function listening<S extends Server>(server: S) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: () => new Promise<void>((closed) => void server.close(() => closed())) }
}

test('successive calls share a connection, simultaneous calls have one each, and each origin has its own', async () => {
  await using one = await tcpServer((socket) => socket.write(http(200, 'one')))
  await using two = await tcpServer((socket) => socket.write(http(200, 'two')))
  const { ended } = callerOf()
  for (let i = 0; i < 3; i++) expect([await ended(one.url), await ended(two.url)]).toEqual(['one', 'two'])
  expect([one.connections, two.connections]).toEqual([1, 1])
  await Promise.all([ended(one.url), ended(one.url), ended(one.url)])
  await Promise.all([ended(one.url), ended(one.url), ended(one.url)])
  expect([one.requests.length, one.connections]).toEqual([9, 3])
})

test('a call with freshSocket uses a new connection, which is closed afterwards', async () => {
  const sockets: Socket[] = []
  await using server = await tcpServer((socket) => {
    sockets.push(socket)
    socket.write(http(200, '{}'))
  })
  const { ended } = callerOf()
  await ended(server.url)
  await ended(server.url, { freshSocket: true })
  await ended(server.url, { freshSocket: true })
  await ended(server.url)
  expect(sockets[3]).toBe(sockets[0])
  expect(server.connections).toBe(3)
  expect(server.requests.map((text) => /connection: ([\w-]+)/i.exec(text)?.[1])).toEqual([
    'keep-alive',
    'close',
    'close',
    'keep-alive',
  ])
  await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, true, false])
})

test('closing the network ends its idle connections at once', async () => {
  const closed: Promise<unknown>[] = []
  await using server = await tcpServer((socket) => {
    closed.push(closing(socket))
    socket.write(http(200, '{}'))
  })
  const { ended, close } = callerOf()
  await Promise.all([ended(server.url), ended(server.url)])
  await close()
  await Promise.all(closed)
})

test('closing the network ends connections that are still being made, to a server and to a proxy', async () => {
  const arrived = Promise.withResolvers<Socket>()
  await using silent = await listening(
    createServer((socket) => arrived.resolve(socket.on('error', () => {}).on('data', () => {}))),
  )
  const asked = Promise.withResolvers<Socket>()
  await using proxy = await tcpServer((socket) => asked.resolve(socket))
  for (const [url, env, socket] of [
    [`https://localhost:${silent.port}`, {}, arrived.promise],
    ['https://partner.example', { HTTPS_PROXY: proxy.url }, asked.promise],
  ] as const) {
    const { ended, close } = callerOf(env)
    const call = ended(url)
    const closed = closing(await socket)
    await close()
    expect(await call).toMatchObject({ kind: 'aborted', sent: false })
    await closed
  }
})

test('a call that waits when the network is closed is interrupted, and a later one opens a new connection', async () => {
  const asked = Promise.withResolvers<Socket>()
  await using server = await tcpServer((socket, _, n) => {
    if (n === 0) asked.resolve(socket)
    else socket.write(http(200, '{}'))
  })
  const { ended, close } = callerOf()
  const call = ended(server.url)
  await asked.promise
  await close()
  expect(await call).toMatchObject({ kind: 'aborted', sent: true })
  expect(await ended(server.url)).toBe('{}')
  expect(server.connections).toBe(2)
})

test('interim answers are skipped on every call of a kept connection', async () => {
  await using server = await tcpServer((socket, _, n) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${http(200, String(n))}`),
  )
  const { ended } = callerOf()
  for (const n of [0, 1, 2]) expect(await ended(server.url)).toBe(String(n))
  expect(server.connections).toBe(1)
})

test('a head of 32 KiB is read; a larger one is not valid HTTP', async () => {
  await using server = await tcpServer((socket, _, n) =>
    socket.end(http(200, '{}', { x: 'y'.repeat(n === 0 ? 32_000 : 33_000), connection: 'close' })),
  )
  const { ended } = callerOf()
  expect(await ended(server.url)).toBe('{}')
  expect(await ended(server.url)).toMatchObject({ kind: 'garbled', sent: true })
})

const trusted = getCACertificates('default')
let identity: ReturnType<typeof selfSigned>
beforeAll(() => {
  using m = machine()
  identity = selfSigned(m.dir, ['DNS:localhost', 'DNS:partner.example'])
  setDefaultCACertificates([identity.cert])
})
afterAll(() => setDefaultCACertificates(trusted))

/** Starts a TLS server that answers every request with `{}`. `offers` lists the protocols that each client offered. */
async function secureServer() {
  const offers: string[][] = []
  const server = createTls(
    {
      ...identity,
      ALPNCallback({ protocols }) {
        offers.push(protocols)
        return protocols[0]
      },
    },
    (socket: TLSSocket) => socket.on('error', () => {}).on('data', () => socket.write(http(200, '{}'))),
  )
  return { ...(await listening(server)), offers }
}

test('a secure connection speaks HTTP/1.1 and offers nothing else', async () => {
  await using server = await secureServer()
  const { ended, close } = callerOf()
  expect(await ended(`https://localhost:${server.port}`)).toBe('{}')
  await close()
  expect(server.offers).toEqual([['http/1.1']])
})

test('an https call goes through the proxy of the environment, to the port of its address', async () => {
  await using server = await secureServer()
  await using proxy = await tcpServer((socket) => {
    const onward = connect(server.port, '127.0.0.1', () => {
      socket.removeAllListeners('data')
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket
        .pipe(onward)
        .on('error', () => {})
        .pipe(socket)
    })
  })
  const { ended, close } = callerOf({ HTTPS_PROXY: proxy.url })
  for (const address of ['https://partner.example', 'https://partner.example:8443/a'])
    expect(await ended(address)).toBe('{}')
  expect(proxy.requests.map((text) => text.split('\r\n')[0])).toEqual([
    'CONNECT partner.example:443 HTTP/1.1',
    'CONNECT partner.example:8443 HTTP/1.1',
  ])
  await close()
  await turn()
})

test('a proxy that refuses to connect causes a proxy failure, and the call counts as not sent', async () => {
  await using proxy = await tcpServer((socket) => socket.end('HTTP/1.1 502 No\r\nconnection: close\r\n\r\n'))
  const { ended } = callerOf({ HTTPS_PROXY: proxy.url })
  expect(await ended('https://partner.example')).toMatchObject({
    kind: 'proxy',
    sent: false,
    facts: { proxy: { name: `127.0.0.1:${proxy.port}`, status: 502 } },
  })
})
