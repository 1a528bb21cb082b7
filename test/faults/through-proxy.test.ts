import { once } from 'node:events'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWireFailure } from '../../src/contract/failures/connections.ts'
import { WireFailure } from '../../src/contract/wire.ts'
import { launch } from '../kit/built-program.ts'
import { selfSigned } from '../kit/certificate.ts'
import { machine, realClock } from '../kit/harness.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { PDF } from '../reports/storage-stub.ts'
import { loanAnswer, tcpServer } from './tcp.ts'

const clock = { ...realClock, sleep: async () => {} }
const env = (more: Record<string, string>) => ({
  BNPL_API_KEY: 'sk-canary-1234567890',
  BNPL_BASE_URL: 'https://pay.shop.test',
  BNPL_ENTITY_ID: 'E1',
  ...more,
})
const EVALUATE = 'evaluate --rut 11222333-9 --amount 1000 --trx T1 --json'
const DOWNLOAD = 'informe download P1 --from-link https://storage.shop.test/x --out a.pdf --json'
const CALLS = ['verify T1 --json', EVALUATE, DOWNLOAD]

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

test.each([
  'http://user:50%@127.0.0.1:1',
  'http://%zz:x@127.0.0.1:1',
  'http://user:%E4@127.0.0.1:1',
  'http://[::1',
  'http://a:b:c',
])(
  'a proxy address that cannot be parsed is refused before any request, and is not printed: %s [database 4]',
  async (HTTPS_PROXY) => {
    using m = machine()
    for (const line of [...CALLS, 'doctor --json']) {
      const ran = await m.run(line, { env: env({ HTTPS_PROXY }), clock })
      expect([line, ran.code]).toEqual([line, line.startsWith('doctor') ? 10 : 3])
      expect(ran.stdout + ran.stderr).toMatch(/HTTPS_PROXY/)
      expect(ran.stderr + ran.stdout).not.toMatch(/fault in bnpl|50%|zz|%E4/)
      if (ran.code === 3) expect(ran.error()).toMatchObject({ code: 'BAD_PROXY' })
    }
  },
)

test('the error for an unreachable proxy names the proxy, and says that no request was sent [database 8]', async () => {
  using m = machine()
  const port = await lastingPort()
  for (const line of CALLS) {
    const ran = await m.run(line, { env: env({ HTTPS_PROXY: `http://user:secret@127.0.0.1:${port}` }), clock })
    expect([line, ran.code]).toEqual([line, 9])
    expect(ran.error()).toMatchObject({ code: 'REFUSED', sent: false, outcome: 'not_sent', attempts: 3 })
    expect(ran.stderr).toContain(`nothing answers at the proxy 127.0.0.1:${port} (ECONNREFUSED)`)
    expect(ran.stderr).toContain('HTTPS_PROXY')
    expect(ran.stderr).not.toContain('secret')
  }
})

test.each([
  [407, 'requires a user and a password, or refused those in HTTPS_PROXY (407)', 'user:password@'],
  [403, 'does not allow this address (403)', 'NO_PROXY'],
  [502, 'could not connect to the address (502)', 'operator'],
])('if a proxy answers %i, the error explains this status: “%s” [database 8]', async (status, words, hint) => {
  using m = machine()
  await using proxy = await tcpServer((socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
  for (const line of CALLS) {
    const ran = await m.run(line, { env: env({ HTTPS_PROXY: proxy.url }), clock })
    expect([line, ran.code]).toEqual([line, 9])
    expect(ran.error()).toMatchObject({ code: 'PROXY', sent: false, outcome: 'not_sent', attempts: 1 })
    expect(ran.stderr).toContain(`the proxy 127.0.0.1:${proxy.port} ${words}`)
    expect(ran.error().hint).toContain(hint)
  }
  expect(proxy.requests).toHaveLength(CALLS.length)
  const doctor = await m.run('doctor --json', { env: env({ HTTPS_PROXY: proxy.url }) })
  expect(doctor.json().find(({ name }: { name: string }) => name === 'reachable').detail).toContain(words)
})

test('a proxy that closes the connection, stays silent or sends nonsense is exit 9, with nothing sent', async () => {
  using m = machine()
  for (const answer of ['', 'hello\r\n\r\n', undefined]) {
    await using proxy = await tcpServer((socket) => (answer === undefined ? undefined : socket.end(answer)))
    for (const line of CALLS) {
      // Only a silent proxy needs a short limit. Any other answer ends the call by itself, on a busy machine too.
      const timeout = answer === undefined ? '500ms' : '30s'
      const ran = await m.run(`${line} --timeout ${timeout}`, { env: env({ HTTPS_PROXY: proxy.url }), clock })
      expect([answer, line, ran.code, ran.error().sent]).toEqual([answer, line, 9, false])
      if (answer !== undefined) expect(ran.stderr).toContain(`the proxy 127.0.0.1:${proxy.port}`)
    }
  }
})

test('calls and downloads work through a proxy with a password, with TLS from end to end', async () => {
  using m = machine()
  const { key, cert, certPath } = selfSigned(m.dir, ['DNS:pay.shop.test', 'DNS:storage.shop.test'])
  const service = createHttps({ key, cert }, (request, response) => {
    if (request.url?.startsWith('/x')) return response.writeHead(302, { location: '/file' }).end()
    if (request.url?.startsWith('/file')) return response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF)
    const [head = '', body] = loanAnswer().split('\r\n\r\n')
    response.writeHead(200, { 'content-type': 'application/json', x: head.length }).end(body)
  })
  const port = await portOf(service)
  const asked: string[] = []
  await using proxy = await tcpServer((socket, request) => {
    asked.push(request)
    const through = connect(port, '127.0.0.1').on('error', () => socket.destroy())
    socket.on('close', () => through.destroy()).removeAllListeners('data')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(through).pipe(socket)
  })
  const HTTPS_PROXY = `http://us%40er:p%25%C3%A4ss@127.0.0.1:${proxy.port}`
  const start = (line: string, more: Record<string, string> = {}) =>
    launch({ args: line.split(' '), cwd: m.dir, env: env({ HTTPS_PROXY, NODE_EXTRA_CA_CERTS: certPath, ...more }) })
  try {
    expect(await start('verify T1 --json -q')).toMatchObject({ code: 0, stderr: '' })
    const saved = await start('informe download P1 --from-link https://storage.shop.test/x --json -q')
    expect(saved).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(saved.stdout)[0]).toMatchObject({ bytes: PDF.length })
    const authorization = `proxy-authorization: Basic ${Buffer.from('us@er:p%äss').toString('base64')}\r\n`
    for (const request of asked) expect(request.toLowerCase()).toContain(authorization.toLowerCase())
    const names = asked.map((request) => request.split('\r\n')[0])
    expect(names).toContain('CONNECT pay.shop.test:443 HTTP/1.1')
    expect(names).toContain('CONNECT storage.shop.test:443 HTTP/1.1')
    expect(asked.join('')).not.toMatch(/canary|\/file|\/partner/)
    // If the certificate has another name or an unknown authority, there is no second attempt, and the message names the remedy.
    const other = await start('verify T1 --json', { BNPL_BASE_URL: 'https://other.shop.test' })
    expect([other.code, other.stderr]).toEqual([9, expect.stringContaining('(ERR_TLS_CERT_ALTNAME_INVALID)')])
    expect(other.stderr).toContain('Check the host name in the base address')
    const missing = join(m.dir, 'nowhere.pem')
    const unknown = await start('verify T1 --json', { NODE_EXTRA_CA_CERTS: missing })
    expect([unknown.code, unknown.stderr]).toEqual([9, expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)')])
    expect(unknown.stderr).toContain(`NODE_EXTRA_CA_CERTS names ${missing}, which cannot be read`)
  } finally {
    service.closeAllConnections()
    service.close()
  }
})

test.each([
  ['CERT_HAS_EXPIRED', /new certificate.*clock/],
  ['CERT_NOT_YET_VALID', /clock of this machine/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /name in the base address/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS to the certificate of the server \(PEM\)/],
])('an error about a certificate names the remedy: %s [database 8]', (code, hint) => {
  const words = describeWireFailure(new WireFailure('tls', false, code))
  expect(words).toMatchObject({ kind: 'network', what: `the secure connection failed (${code})` })
  expect(words.hint).toMatch(hint)
  if (/EXPIRED|NOT_YET|ALTNAME/.test(code)) expect(words.hint).not.toContain('NODE_EXTRA_CA_CERTS')
})
