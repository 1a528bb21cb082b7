import { getEventListeners, once } from 'node:events'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { selfSigned } from '../../test/kit/certificate.ts'
import { machine } from '../../test/kit/harness.ts'
import { readCertificate } from './certificate.ts'

const signal = new AbortController().signal

async function portOf(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a server on this machine. Its certificate is issued by `subject`, and this process trusts it. */
async function trustedServer(subject: string, names = ['DNS:localhost']) {
  using m = machine()
  const identity = selfSigned(m.dir, names, subject)
  const trusted = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(trusted))
  setDefaultCACertificates([identity.cert])
  let received = ''
  const ends: Promise<unknown>[] = []
  const server = createServer({ ...identity, maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => {}).on('data', (chunk) => (received += chunk))
    ends.push(new Promise((closed) => socket.once('close', closed)))
  })
  return { port: await portOf(server), received: () => received, ended: () => Promise.all(ends) }
}

test.each([
  ['/O=Private Authority/CN=test', 'Private Authority'],
  ['/O=One/O=Two', 'One, Two'],
  ['/CN=test', 'test'],
  ['/C=CL', 'unknown'],
  ['/', 'unknown'],
])('the report of a certificate issued by %s names “%s”', async (subject, issuer) => {
  const { port, received, ended } = await trustedServer(subject)
  const report = await readCertificate('localhost', port, 20_000, signal)
  expect(report).toEqual({ protocol: 'TLSv1.2', issuer, validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) })
  const days = (Date.parse(report.validTo) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(2)
  await ended()
  expect(received()).toBe('')
})

test('a certificate that is not trusted, or is for another name, ends with the failure “tls”', async () => {
  const { port } = await trustedServer('/CN=test', ['DNS:other.example'])
  await expect(readCertificate('localhost', port, 20_000, signal)).rejects.toMatchObject({
    kind: 'tls',
    message: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  setDefaultCACertificates([])
  await expect(readCertificate('localhost', port, 20_000, signal)).rejects.toMatchObject({
    kind: 'tls',
    message: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

/** Starts a server that accepts connections and never answers the TLS handshake. */
async function silentServer() {
  const arrived = Promise.withResolvers<{ closed: Promise<unknown> }>()
  const server = createTcp((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        arrived.resolve({ closed: new Promise((closed) => socket.once('close', closed)) })
      })
  })
  return { port: await portOf(server), arrived: arrived.promise }
}

test('a secure connection that takes too long ends with a timeout, and its socket is closed', async () => {
  const { port, arrived } = await silentServer()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const report = expect(readCertificate('localhost', port, 700, signal)).rejects.toMatchObject({
    kind: 'timeout',
    sent: false,
    message: 'no secure connection within 700 ms',
  })
  const { closed } = await arrived
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(700)
  await report
  await closed
})

test('a signal ends the connection with the signal’s reason, and the socket is closed', async () => {
  const { port, arrived } = await silentServer()
  const stop = new AbortController()
  const reason = new Error('enough')
  const report = expect(readCertificate('localhost', port, 20_000, stop.signal)).rejects.toBe(reason)
  const { closed } = await arrived
  stop.abort(reason)
  await report
  await closed
})

test('after the certificate is read, no timer and no signal listener is left', async () => {
  const { port } = await trustedServer('/CN=test')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = new AbortController()
  const report = readCertificate('localhost', port, 20_000, stop.signal)
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
  await report
  await expect.poll(() => getEventListeners(stop.signal, 'abort')).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
