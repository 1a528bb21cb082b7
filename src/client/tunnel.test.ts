import { once } from 'node:events'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { tcpServer } from '../../test/faults/tcp.ts'
import { selfSigned } from '../../test/kit/certificate.ts'
import { machine } from '../../test/kit/harness.ts'
import type { WireFailure } from '../contract/wire.ts'
import { openTunnel, proxyFor } from './network.ts'

function proxyAt(address: string) {
  const proxy = proxyFor(new URL('https://partner.example'), { HTTPS_PROXY: address })
  if (proxy === undefined) throw new Error(`${address} is not the address of a proxy`)
  return proxy
}

/** Asks a proxy for a connection. Resolves with the socket or with the failure. */
const tunnel = (address: string, host = 'partner.example', signal?: AbortSignal) =>
  openTunnel(proxyAt(address), host, 8443, signal).then(
    (socket) => {
      onTestFinished(() => void socket.destroy())
      return socket
    },
    (failure: WireFailure) => failure,
  )

const closing = (socket: Socket) => new Promise((closed) => socket.once('close', closed))

test('the CONNECT request has the host or IP address, the port, and the user and password of the proxy', async () => {
  await using proxy = await tcpServer((socket) => socket.write('HTTP/1.1 200 Connected\r\n\r\n'))
  await tunnel(proxy.url)
  await tunnel(proxy.url, '2001:db8::1')
  await tunnel(proxy.url.replace('//', '//ana:s%40crt@'))
  const [plain, numeric, authorized] = proxy.requests
  expect(plain).toBe('CONNECT partner.example:8443 HTTP/1.1\r\nhost: partner.example:8443\r\nConnection: close\r\n\r\n')
  expect(numeric).toContain('CONNECT [2001:db8::1]:8443 HTTP/1.1\r\nhost: [2001:db8::1]:8443\r\n')
  expect(authorized).toContain(`\r\nproxy-authorization: Basic ${Buffer.from('ana:s@crt').toString('base64')}\r\n`)
})

test('the tunnel is open after any status from 200 to 299; any other status is a failure', async () => {
  const answers = [200, 299, 199, 300, 407]
  await using proxy = await tcpServer((socket, _, n) => socket.write(`HTTP/1.1 ${answers[n]} X\r\n\r\n`))
  const name = `127.0.0.1:${proxy.port}`
  for (const _ of [200, 299]) expect(await tunnel(proxy.url)).toHaveProperty('remotePort', proxy.port)
  for (const status of [199, 300, 407])
    expect(await tunnel(proxy.url)).toMatchObject({
      kind: 'proxy',
      sent: false,
      message: `status ${status}`,
      facts: { proxy: { name, status } },
    })
})

test('the socket of a refused tunnel is closed', async () => {
  const asked = Promise.withResolvers<Socket>()
  await using proxy = await tcpServer((socket) => {
    asked.resolve(socket)
    socket.write('HTTP/1.1 403 No\r\n\r\n')
  })
  const call = tunnel(proxy.url)
  await closing(await asked.promise)
  expect(await call).toMatchObject({ kind: 'proxy', facts: { proxy: { status: 403 } } })
})

test('bytes that arrive with the proxy’s answer are read from the connection', async () => {
  await using proxy = await tcpServer((socket) => socket.write('HTTP/1.1 200 Connected\r\n\r\nhello'))
  const socket = (await tunnel(proxy.url)) as Socket
  const [first] = await once(socket, 'data')
  expect(String(first)).toBe('hello')
})

test.each([
  ['proxy', 'ECONNRESET', ''],
  ['proxy', 'HPE_INVALID_CONSTANT', 'garbage\r\n\r\n'],
])(
  'a proxy without a valid HTTP answer is a failure “%s” with the name of the proxy: %s',
  async (kind, message, answer) => {
    await using proxy = await tcpServer((socket) => socket.end(answer))
    expect(await tunnel(proxy.url)).toMatchObject({
      kind,
      message,
      sent: false,
      facts: { proxy: { name: `127.0.0.1:${proxy.port}` } },
      cause: expect.any(Error),
    })
  },
)

test('a proxy that cannot be reached is a failure with the name of the proxy', async () => {
  for (const address of ['127.0.0.1:1', '[::1]:1'])
    expect(await tunnel(`http://${address}`)).toMatchObject({
      kind: 'refused',
      sent: false,
      facts: { proxy: { name: address } },
    })
  const name = `${'x'.repeat(64)}.invalid`
  expect(await tunnel(`http://${name}`)).toMatchObject({ kind: 'dns', facts: { proxy: { name: `${name}:80` } } })
})

test('a signal ends a connection that is still being made', async () => {
  const asked = Promise.withResolvers<Socket>()
  await using proxy = await tcpServer((socket) => asked.resolve(socket))
  const stop = new AbortController()
  const call = tunnel(proxy.url, 'partner.example', stop.signal)
  const closed = closing(await asked.promise)
  stop.abort()
  expect(await call).toMatchObject({ kind: 'aborted', sent: false })
  await closed
})

test('an https proxy is asked over TLS, and its certificate must be for its own name or address', async () => {
  const trusted = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(trusted))
  using m = machine()
  const identity = selfSigned(m.dir, ['DNS:localhost', 'IP:127.0.0.1'])
  setDefaultCACertificates([identity.cert])
  const asked: unknown[] = []
  const named: string[] = []
  const SNICallback = (name: string, done: (error: null) => void) => {
    named.push(name)
    done(null)
  }
  const proxy = createHttps({ ...identity, SNICallback }).on('connect', ({ url }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 200 Connected\r\n\r\n')
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  for (const host of ['localhost', '127.0.0.1'])
    expect(await tunnel(`https://${host}:${port}`)).toHaveProperty('encrypted', true)
  expect(asked).toEqual(['partner.example:8443', 'partner.example:8443'])
  // TLS sends the server's name only if it is a host name, not an IP address.
  expect(named).toEqual(['localhost'])
  const foreign = selfSigned(m.dir, ['DNS:partner.example'])
  setDefaultCACertificates([foreign.cert])
  proxy.setSecureContext(foreign)
  expect(await tunnel(`https://localhost:${port}`)).toMatchObject({
    kind: 'tls',
    message: 'ERR_TLS_CERT_ALTNAME_INVALID',
    facts: { proxy: { name: `localhost:${port}` } },
  })
  expect(asked).toHaveLength(2)
})
