import { once } from 'node:events'
import { createServer as createTcp } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { expect, test } from 'vitest'
import { selfSigned } from '../kit/certificate.ts'
import { machine, realClock } from '../kit/harness.ts'
import { loanAnswer, tcpServer } from './tcp.ts'

const KEY = 'sk-canary-1234567890'
const EVALUATE = 'evaluate --rut 11222333-9 --amount 1000 --trx T1 --json'
const clock = { ...realClock, sleep: async () => {} }
const env = (url: string, more: Record<string, string> = {}) => ({
  BNPL_API_KEY: KEY,
  BNPL_BASE_URL: url,
  BNPL_ENTITY_ID: 'E1',
  ...more,
})

test('a certificate that cannot be verified ends a call with exit 9, without a retry and before any request [row 14]', async () => {
  using m = machine()
  let connections = 0
  let received = ''
  const server = createTls(selfSigned(m.dir, ['DNS:localhost']), (socket) =>
    socket.on('data', (chunk) => (received += chunk)),
  )
  server.on('connection', () => connections++).on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  try {
    const ran = await m.run(EVALUATE, { env: env(`https://localhost:${port}`), clock })
    expect(ran).toMatchObject({ code: 9, stdout: '' })
    expect(ran.error()).toMatchObject({ kind: 'network', code: 'TLS', sent: false, outcome: 'not_sent', attempts: 1 })
    expect({ connections, received }).toEqual({ connections: 1, received: '' })
    expect(ran.stderr).toContain('NODE_EXTRA_CA_CERTS')
  } finally {
    server.close()
  }
})

test('a report is not fetched from a storage whose certificate cannot be checked [row 14]', async () => {
  using m = machine()
  let received = ''
  const server = createTls(selfSigned(m.dir, ['DNS:localhost']), (socket) =>
    socket.on('data', (chunk) => (received += chunk)),
  )
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const link = `https://localhost:${(server.address() as { port: number }).port}/partner/informe/c0ffee`
  try {
    const ran = await m.run(['informe', 'download', 'P1', '--from-link', link, '--json'], { clock })
    expect(ran).toMatchObject({ code: 9, stdout: '' })
    expect(ran.error()).toMatchObject({ code: 'TLS', sent: false, attempts: 1 })
    expect(received).toBe('')
  } finally {
    server.close()
  }
})

test('a TLS handshake that arrives byte by byte ends at the time-out, and doctor reports the failure [row 18]', async () => {
  using m = machine()
  let connections = 0
  const server = createTcp((socket) => {
    socket.on('error', () => {}).on('data', () => {})
    // The first answer is not TLS, so the client stops at once. The second one begins like a TLS record of 16 kB, whose
    // bytes come slowly.
    if (connections++ === 0) return void socket.end('HTTP/1.1 400 X\r\n\r\n')
    socket.write(Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00]))
    const drip = setInterval(() => socket.write('\u0002'), 50)
    socket.on('close', () => clearInterval(drip))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  try {
    const ran = await m.run('doctor --timeout 500ms --json', { env: env(`https://localhost:${port}`) })
    expect([ran.code, connections]).toEqual([10, 2])
    const found = ran.json().find(({ name }: { name: string }) => name === 'certificate')
    expect(found).toMatchObject({ status: 'fail', detail: expect.stringContaining('within 500 ms') })
  } finally {
    server.close()
  }
})

test('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused before anything is sent [row 14]', async () => {
  using m = machine()
  const ran = await m.run(EVALUATE, {
    env: env('https://api.example.com', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
  })
  expect(ran).toMatchObject({ code: 3, stdout: '' })
  expect(ran.error().code).toBe('TLS_UNCHECKED')
})

test('a proxy gets a CONNECT request and no key, and calls to this machine bypass the proxy [row 14]', async () => {
  using m = machine()
  let seen = ''
  const proxy = createTcp((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      // The proxy grants the connection. The next bytes are TLS, and there it cuts.
      const first = seen === ''
      seen += chunk.toString('latin1')
      if (first) socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      else socket.destroy()
    })
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const through = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
  const proxies = { HTTPS_PROXY: through, HTTP_PROXY: through, https_proxy: through, http_proxy: through }
  try {
    await using server = await tcpServer((socket) => socket.end(loanAnswer()))
    const own = await m.run('verify T1 --json', { env: env(server.url, proxies), clock })
    expect(own.code).toBe(0)
    expect(seen).toBe('')
    const ran = await m.run(EVALUATE, { env: env('https://partner.example', proxies), clock })
    expect(ran).toMatchObject({ code: 9, stdout: '' })
    expect(seen).toMatch(/^CONNECT partner\.example:443 HTTP\/1\.1\r\n/)
    expect(seen).not.toMatch(/authorization: bearer|canary|rut|11222333/i)
  } finally {
    proxy.close()
  }
})

test.each(['not a proxy', 'socks5://canary@127.0.0.1:1', 'ftp://127.0.0.1:1', 'http://', 'http://:canary@'])(
  'HTTPS_PROXY=%s is refused as a proxy address: no request bypasses the proxy, and no password is printed [row 14]',
  async (text) => {
    using m = machine()
    const through = env('https://partner.invalid', { HTTPS_PROXY: text })
    for (const line of [
      'verify T1',
      EVALUATE,
      'informe download --from-link https://storage.invalid/x --out a.pdf',
      'doctor',
    ]) {
      const ran = await m.run(`${line} --json`, { env: through, clock })
      expect([line, ran.code]).toEqual([line, line === 'doctor' ? 10 : 3])
      expect(ran.stdout + ran.stderr).toContain('HTTPS_PROXY is not the address')
      expect(ran.stdout + ran.stderr).not.toMatch(/canary@|fault in bnpl|ENOTFOUND/)
    }
  },
)

test('a proxy may be named without its scheme, as for curl, and doctor hides its password [row 14]', async () => {
  using m = machine()
  const asked: string[] = []
  const proxy = createTcp((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      asked.push(chunk.toString('latin1').split(' ')[1] ?? '')
      socket.destroy()
    })
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const HTTPS_PROXY = `user:canary@127.0.0.1:${(proxy.address() as { port: number }).port}`
  const options = { env: env('https://partner.invalid', { HTTPS_PROXY }), clock }
  try {
    await m.run('verify T1 --json', options)
    await m.run('informe download --from-link https://storage.invalid/x --out a.pdf', options)
    expect(new Set(asked)).toEqual(new Set(['partner.invalid:443', 'storage.invalid:443']))
    expect((await m.run('doctor --json', options)).stdout).toMatch(/HTTPS_PROXY http:\/\/••••@127/)
  } finally {
    proxy.close()
  }
})
