import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sign } from '../domain/signature.ts'
import { selfTest } from './self-test.ts'
import type { VerifierOptions } from './verification/verifier.ts'

const SIGNATURE = { algorithm: 'sha256', encoding: 'hex' } as const
const SECRETS = ['the-newest-secret', 'an-older-secret']

/** A receiver that answers with a status or not at all, and the requests that it received. */
async function receiver(status: number | undefined, host = '127.0.0.1') {
  const got: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ method: request.method, url: request.url, headers: request.headers, body })
      if (status !== undefined) response.writeHead(status).end('x'.repeat(1000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { got, port: (server.address() as AddressInfo).port }
}

const send = (host: string, port: number, scheme: VerifierOptions['scheme'] = 'hmac', secrets = SECRETS) =>
  selfTest({
    host,
    port,
    path: '/hooks/mine',
    id: 'own-id',
    scheme,
    signature: SIGNATURE,
    secrets: { current: () => secrets, refresh: async () => false },
  })

test('the own test delivery is posted to the receiver’s path, signed with the newest secret, on a new connection', async () => {
  const { got, port } = await receiver(200)
  await send('127.0.0.1', port)
  const body = '{"eventId":"own-id","data":null}'
  expect(got).toMatchObject([
    {
      method: 'POST',
      url: '/hooks/mine',
      body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(body.length),
        connection: 'close',
        'service-signature': sign(Buffer.from(body), 'the-newest-secret', SIGNATURE),
      },
    },
  ])
  expect(got[0]?.headers['service-webhook-secret']).toBeUndefined()
})

test('under the token scheme the test delivery carries the newest token and no signature', async () => {
  const { got, port } = await receiver(200)
  await send('127.0.0.1', port, 'token')
  expect(got[0]?.headers).toMatchObject({ 'service-webhook-secret': 'the-newest-secret' })
  expect(got[0]?.headers['service-signature']).toBeUndefined()
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
  ['::1', '::1'],
])('the test delivery to a receiver on %s is sent to %s', async (host, address) => {
  const { got, port } = await receiver(200, address)
  await send(host, port)
  expect(got).toHaveLength(1)
})

test.each([
  [503, 'Check the disk of the state folder, or the database, because no delivery can be stored.'],
  [401, 'Check that --host is an address of this machine.'],
  [201, 'Check that --host is an address of this machine.'],
])('an answer of %i to the test delivery is an error with a hint', async (status, hint) => {
  const { port } = await receiver(status)
  await expect(send('127.0.0.1', port)).rejects.toMatchObject({
    kind: 'config',
    code: 'SELF_TEST',
    message: `the listener's own test delivery was not acknowledged (${status})`,
    hint,
  })
})

test('an unreachable receiver is an error with the error code of the system', async () => {
  const { port } = await receiver(200)
  // Nothing listens on another loopback address of this port.
  await expect(send('127.0.0.2', port)).rejects.toMatchObject({
    message: "the listener's own test delivery was not acknowledged (ECONNREFUSED)",
    hint: 'Check that --host is an address of this machine.',
  })
})

test('a receiver that does not answer the test delivery within three seconds is an error', async () => {
  const over = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal)
  onTestFinished(() => timeout.mockRestore())
  const { got, port } = await receiver(undefined)
  const tested = send('127.0.0.1', port)
  await expect.poll(() => got.length).toBe(1)
  over.abort(new DOMException('too late', 'TimeoutError'))
  await expect(tested).rejects.toMatchObject({
    message: "the listener's own test delivery was not acknowledged (ABORT_ERR)",
    hint: 'Check the disk of the state folder, or the database, because the listener did not answer within 3 s.',
  })
  expect(timeout).toHaveBeenCalledWith(3000)
})
