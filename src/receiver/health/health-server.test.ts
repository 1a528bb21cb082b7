import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createReadiness, FRESH_MS, PROOF_MS, type ReadinessState, serveHealth } from './health-server.ts'

type Options = Parameters<typeof serveHealth>[0]

/** A health server whose receiver is in a given state, and the faults that were reported. */
async function serve(state: ReadinessState = 'ready', more: Partial<Options> = {}) {
  const faults: unknown[] = []
  const door = await serveHealth({
    host: '127.0.0.1',
    port: 0,
    hosts: ['shop.example'],
    readiness: { check: async () => state },
    metrics: { text: async () => ({ type: 'text/of-metrics', text: 'events 1 ñ\n' }) },
    onError: (error) => faults.push(error),
    ...more,
  })
  onTestFinished(() => door.close())
  const ask = (path: string, { method = 'GET', ...headers }: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: door.port, path, method, headers, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }))
      })
      sent.on('error', reject)
      sent.end()
    })
  return { door, ask, faults }
}

test.each<[ReadinessState, number, string]>([
  ['ready', 200, 'ready\n'],
  ['starting', 503, 'starting\n'],
  ['not-writable', 503, 'the inbox cannot be written\n'],
  ['ending', 503, 'ending\n'],
])('/readyz of a receiver that is %s is %i', async (state, status, text) => {
  const { ask } = await serve(state)
  expect(await ask('/readyz')).toMatchObject({ status, text })
  // /healthz only says that the process answers, not whether deliveries can be stored.
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok\n' })
})

test('/metrics answers with the content type of the metrics, the length in bytes, and no-store', async () => {
  const { ask } = await serve()
  expect(await ask('/metrics?a=1?b=2')).toMatchObject({
    status: 200,
    text: 'events 1 ñ\n',
    headers: { 'content-type': 'text/of-metrics', 'content-length': '12', 'cache-control': 'no-store' },
  })
  expect((await ask('/readyz')).headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' })
  expect(await ask('/metrics', { method: 'HEAD' })).toMatchObject({
    status: 200,
    text: '',
    headers: { 'content-length': '12' },
  })
})

test('another path is 404 and names the paths that exist, whatever the method', async () => {
  const { ask } = await serve()
  const text = 'not found; the paths are /healthz, /readyz and /metrics\n'
  expect(await ask('/metricsx')).toMatchObject({ status: 404, text })
  expect(await ask('/', { method: 'POST' })).toMatchObject({ status: 404, text })
  expect((await ask('/')).headers.allow).toBeUndefined()
})

test.each(['/healthz', '/readyz', '/metrics'])(
  '%s answers another method with 405 and the allowed methods GET and HEAD',
  async (path) => {
    const { ask } = await serve()
    expect(await ask(path, { method: 'DELETE' })).toMatchObject({
      status: 405,
      text: 'method not allowed\n',
      headers: { allow: 'GET, HEAD' },
    })
  },
)

test('a foreign Host is answered with 421, except on /healthz, which accepts any Host', async () => {
  const { ask } = await serve()
  const foreign = { host: 'evil.example' }
  for (const path of ['/metrics', '/readyz', '/elsewhere'])
    expect(await ask(path, foreign)).toMatchObject({ status: 421, text: 'misdirected request\n' })
  expect(await ask('/healthz', foreign)).toMatchObject({ status: 200 })
  expect(await ask('/metrics', { host: 'shop.example' })).toMatchObject({ status: 200 })
})

/** The whole answer to a request that is given as text. */
async function said(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(sent))
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.endsWith('\n') && text.includes('\r\n\r\n')) break
  }
  return text
}

test('two Host headers are answered with 400 on every path', async () => {
  const { door } = await serve()
  for (const path of ['/healthz', '/metrics']) {
    const text = await said(door.port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1.1 400 .*\r\n\r\nbad request\n$/s)
  }
})

test('a request with Expect: 100-continue is answered at once, and its connection is closed', async () => {
  const { door } = await serve()
  const head = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nContent-Length: 2\r\n`
  expect(await said(door.port, `${head}Expect: 100-continue\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 .*connection: close/is)
  expect(await said(door.port, `${head}\r\nab`)).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is)
})

test('an unneeded request body is discarded, so that the next request on the connection is answered', async () => {
  const { door } = await serve()
  const head = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\n`
  const socket = connect(door.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const size = 1024 * 1024
  socket.write(`${head}Content-Length: ${size}\r\n\r\n`)
  socket.write(Buffer.alloc(size, 'x'))
  socket.write(`${head}\r\n`)
  await expect.poll(() => text.split('HTTP/1.1 200').length).toBe(3)
  socket.destroy()
})

test('a fault while an answer is put together is reported, and answered with 500', async () => {
  const fault = new TypeError('a fault of the test')
  const failing = async () => {
    throw fault
  }
  const { ask, faults } = await serve('ready', { metrics: { text: failing } })
  expect(await ask('/metrics')).toMatchObject({
    status: 500,
    text: 'a fault in the receiver; stderr of the receiver says more\n',
  })
  expect(faults).toEqual([fault])
})

test('a client with many connections blocks no probe, because the oldest connections are closed', async () => {
  const { door, ask } = await serve()
  const silent = Array.from({ length: 40 }, () => connect(door.port, '127.0.0.1').on('error', () => {}))
  const closed = silent.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of silent) socket.resume()
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
  await closed[0]
  expect(door.connections()).toBeLessThanOrEqual(32)
  expect(silent.at(-1)?.destroyed).toBe(false)
  for (const socket of silent) socket.destroy()
})

test('a port that is taken is an error that names the option', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  await expect(serve('ready', { port })).rejects.toMatchObject({
    kind: 'config',
    hint: expect.stringContaining('--metrics-port'),
  })
})

/** A clock that the test moves, and an inbox whose probe ends when the test says so. */
function bench() {
  let now = 0
  let wake = () => {}
  const probes: PromiseWithResolvers<void>[] = []
  const clock = {
    now: () => now,
    monotonic: () => now,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        wake = resolve
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const probe = () => {
    const one = Promise.withResolvers<void>()
    probes.push(one)
    return one.promise
  }
  const pass = (ms: number) => {
    now += ms
    wake()
  }
  return { readiness: createReadiness({ probe }, clock), probes, pass }
}

test('a check probes the inbox once for all callers, and needs no new probe after a recent probe or write', async () => {
  const { readiness, probes, pass } = bench()
  expect(await readiness.check()).toBe('starting')
  readiness.opened()
  const asked = [readiness.check(), readiness.check()]
  expect(probes).toHaveLength(1)
  probes[0]?.resolve()
  expect(await Promise.all(asked)).toEqual(['ready', 'ready'])
  expect(await readiness.check()).toBe('ready')
  pass(FRESH_MS)
  readiness.wrote()
  expect(await readiness.check()).toBe('ready')
  expect(probes).toHaveLength(1)
})

test('a failed write makes the receiver not ready at once, until a probe succeeds', async () => {
  const { readiness, probes, pass } = bench()
  readiness.opened()
  readiness.failed()
  expect(await readiness.check()).toBe('not-writable')
  pass(FRESH_MS)
  const first = readiness.check()
  probes[0]?.reject(new Error('no room'))
  expect(await first).toBe('not-writable')
  pass(FRESH_MS)
  const second = readiness.check()
  probes[1]?.resolve()
  expect(await second).toBe('ready')
  readiness.ending()
  expect(await readiness.check()).toBe('ending')
})

test('a disk that does not answer means not ready, and is not asked twice at once', async () => {
  const { readiness, probes, pass } = bench()
  readiness.opened()
  const first = readiness.check()
  pass(PROOF_MS)
  expect(await first).toBe('not-writable')
  const second = readiness.check()
  pass(PROOF_MS)
  expect(await second).toBe('not-writable')
  expect(probes).toHaveLength(1)
  probes[0]?.resolve()
  await probes[0]?.promise
  expect(readiness.known()).toBe('ready')
})

test('a write after a failure does not make the receiver ready, but starts a probe once the last probe is old', async () => {
  const { readiness, probes, pass } = bench()
  readiness.opened()
  expect(readiness.known()).toBe('ready')
  readiness.failed()
  pass(FRESH_MS - 1)
  readiness.wrote()
  expect([readiness.known(), probes.length]).toEqual(['not-writable', 0])
  pass(1)
  readiness.wrote()
  expect([readiness.known(), probes.length]).toEqual(['not-writable', 1])
  probes[0]?.resolve()
  await expect.poll(() => readiness.known()).toBe('ready')
})

test('a receiver that is ending asks its disk for no more proofs', async () => {
  const { readiness, probes } = bench()
  readiness.opened()
  readiness.ending()
  expect(await readiness.check()).toBe('ending')
  expect(probes).toHaveLength(0)
})
