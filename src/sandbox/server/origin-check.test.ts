import { afterEach, expect, test } from 'vitest'
import { raw, request, statusOf } from '../../../test/kit/raw-http.ts'
import type { Transport } from '../../contract/wire.ts'
import { startTransportServer, type TransportServer, type TransportServerOptions } from './transport-server.ts'

const open: TransportServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const ok = { status: 200, headers: {}, body: Buffer.from('ok') }

async function serve(transport: Transport, options: Partial<TransportServerOptions> = {}) {
  const server = await startTransportServer({ host: '127.0.0.1', port: 0, onError() {}, ...options })
  server.answerWith(transport)
  open.push(server)
  return server
}

test.each([
  ['another name', 'evil.example', 421],
  ['another name on the port', 'evil.example:PORT', 421],
  ['a name that looks like loopback', '127.0.0.1.evil.example:PORT', 421],
  ['the right name without the port', '127.0.0.1', 421],
  ['the right name with another port', '127.0.0.1:1', 421],
  ['an empty name', '', 421],
  ['user info', 'a@127.0.0.1:PORT', 421],
  ['a private address', '10.0.0.1:PORT', 421],
  ['localhost', 'LOCALHOST:PORT', 200],
  ['the loopback network', '127.8.9.10:PORT', 200],
  ['IPv6 loopback', '[::1]:PORT', 200],
  ['an added name', 'sandbox.test:PORT', 200],
  ['an added name with its own port', 'mapped.test:8080', 200],
  ['an added name with its own port, on this port', 'mapped.test:PORT', 421],
])('the Host header decides whether a request is accepted: %s [row 108]', async (_, host, status) => {
  let calls = 0
  const { port } = await serve(
    async () => {
      calls++
      return ok
    },
    { allowHosts: ['Sandbox.test', 'mapped.test:8080'] },
  )
  const answer = await raw(port, request(port, 'GET / HTTP/1.1', [`Host: ${host.replace('PORT', String(port))}`]))
  expect(statusOf(answer)).toBe(status)
  expect(calls).toBe(status === 200 ? 1 : 0)
})

test('a server on every interface accepts each of its addresses, but no foreign name [row 108]', async () => {
  const { port, baseUrl } = await serve(async () => ok, { host: '0.0.0.0' })
  expect(baseUrl).toBe(`http://127.0.0.1:${port}`)
  const statuses = ['10.1.2.3', '[fe80::1]', 'evil.example'].map(async (name) =>
    statusOf(await raw(port, request(port, 'GET / HTTP/1.1', [`Host: ${name}:${port}`]))),
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 421])
})

test.each([
  ['no Host, HTTP/1.1', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no Host, HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
  ['a whole address', 'GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n'],
  ['no path', 'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n'],
  ['no HTTP', 'hello\r\n\r\n'],
])('a malformed head is answered 400: %s', async (_, bytes) => {
  const { port } = await serve(async () => ok)
  expect(statusOf(await raw(port, bytes.replaceAll('PORT', String(port))))).toBe(400)
})

test.each([
  ['POST', '/partner/webhook', ['Origin: https://shop.example'], 403],
  ['POST', '/partner/widget/start', ['Origin: https://shop.example'], 403],
  ['POST', '/partner/webhook', ['Origin: null'], 403],
  ['POST', '/partner/webhook', ['Origin: http://127.0.0.1:1'], 403],
  ['POST', '/partner/webhook', ['Origin: https://127.0.0.1:PORT'], 403],
  ['POST', '/partner/webhook', ['Sec-Fetch-Site: cross-site'], 403],
  ['POST', '/partner/webhook', ['Sec-Fetch-Site: same-site', 'Origin: http://127.0.0.1:1'], 403],
  ['OPTIONS', '/partner/webhook', ['Origin: https://shop.example'], 403],
  ['DELETE', '/partner/webhook/1', ['Origin: https://shop.example'], 403],
  ['GET', '/_sandbox/events', ['Origin: https://shop.example'], 403],
  ['GET', '/_sandbox', ['Sec-Fetch-Site: cross-site'], 403],
  ['GET', '/_sandbox/events', ['Sec-Fetch-Site: none'], 200],
  ['GET', '/_window/changes', ['Sec-Fetch-Site: same-site', 'Origin: http://127.0.0.1:1'], 403],
  ['GET', '/_window/files/1/app.js', ['Sec-Fetch-Site: cross-site'], 403],
  ['GET', '/_window/changes', ['Sec-Fetch-Site: same-origin'], 200],
  ['POST', '/_window/do/reset', ['Origin: null'], 403],
  ['POST', '/pay', ['Origin: null', 'Sec-Fetch-Site: same-origin'], 200],
  ['POST', '/pay', ['Origin: http://localhost:PORT'], 200],
  ['POST', '/pay/', ['Origin: null'], 200],
  ['POST', '/production/pay/', ['Origin: null'], 200],
  ['POST', '/production/partner/webhook', ['Origin: null'], 403],
  ['POST', '/pay/', ['Origin: null', 'Sec-Fetch-Site: cross-site'], 403],
  ['POST', '/pay/', ['Origin: https://shop.example'], 403],
  ['POST', '/partner/webhook', [], 200],
  ['GET', '/', ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site'], 200],
])('the answer to %s %s with the browser headers %j is %i [row 108]', async (method, path, headers, status) => {
  let calls = 0
  const { port } = await serve(async () => {
    calls++
    return ok
  })
  const own = headers.map((each) => each.replace('PORT', String(port)))
  const answer = await raw(port, request(port, `${method} ${path} HTTP/1.1`, own))
  expect(statusOf(answer)).toBe(status)
  expect(calls).toBe(status === 200 ? 1 : 0)
  expect(answer).not.toMatch(/access-control/i)
})
