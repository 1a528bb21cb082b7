import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import type { SignalName } from '../../src/context.ts'
import { selfSigned } from '../kit/certificate.ts'
import { machine } from '../kit/harness.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { program, until } from '../kit/program.ts'
import { talk, tcpServer } from '../kit/proxied.ts'
import { whileProxied, whileServed } from '../kit/served.ts'

const order = (fields: object = {}) =>
  new URLSearchParams({
    idNumber: '11222333-9',
    amount: '250000',
    entityId: 'x',
    externalTrxId: 'T1',
    ...fields,
  })

test('the proxy prints a line of JSON for each call, with its differences from the contract and without personal data', async () => {
  using m = machine()
  await whileServed(m, async ({ apiKey, partners }) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const { stdout } = await whileProxied(m, '-p sandbox --json --record seen.ndjson', {}, async (url) => {
      const evaluate = (body: URLSearchParams) =>
        fetch(`${url}/partner/pre-loan-request/bnpl`, { method: 'POST', headers, body })
      expect((await evaluate(order({ entityId: partners[0].entityId }))).status).toBe(200)
      expect((await evaluate(order({ amount: '250.000' }))).status).toBe(400)
      await fetch(`${url}/partner/pre-approve/rut/11222333-9?email=maria@mail.example`)
    })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const common = { at: expect.stringMatching(/Z$/), ms: expect.any(Number) }
    const path = '/partner/pre-loan-request/bnpl'
    expect(lines).toEqual([
      { ...common, endpoint: 'evaluate', method: 'POST', path, status: 200, problems: [] },
      {
        ...common,
        endpoint: 'evaluate',
        method: 'POST',
        path,
        status: 400,
        problems: [
          {
            where: 'request form amount',
            expected: 'a whole number, digits only, such as 250000',
            seen: 'a text such as 000.000',
          },
        ],
      },
      {
        ...common,
        endpoint: 'evaluationByRut',
        method: 'GET',
        path: '/partner/pre-approve/rut/••••?email=••••',
        status: 401,
        problems: [
          { where: 'request header authorization', expected: 'Bearer and the API key', seen: 'no such header' },
          { where: 'request query email', expected: 'no field of this name', seen: 'a field' },
        ],
      },
    ])
    const recorded = readFileSync(join(m.dir, 'seen.ndjson'), 'utf8')
    for (const secret of ['11222333', 'maria', apiKey]) expect(`${stdout}${recorded}`).not.toContain(secret)
    // `contract check` of the recording finds the same problems as the proxy.
    const { code, json } = await m.run('contract check seen.ndjson --json')
    const wheres = lines.flatMap(({ problems }) => problems.map(({ where }: { where: string }) => where))
    expect([code, json().map(({ where }: { where: string }) => where)]).toEqual([10, wheres])
  })
})

test('without --json, the proxy prints one line per call, then one line per difference from the contract', async () => {
  using m = machine()
  const env = { BNPL_BASE_URL: `http://127.0.0.1:${await lastingPort()}`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
  const { stdout, stderr } = await whileProxied(m, '', { env }, async (url) => {
    await expect(fetch(`${url}/partner/webhook`)).rejects.toThrow('fetch failed')
  })
  const lines = stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}- {4}listWebhooks {2}GET \/partner\/webhook {2}\d+ ms$/)
  expect(lines.slice(1).map((line) => line.trim())).toEqual([
    '! request header authorization: no such header; expected Bearer and the API key',
    '! answer: a refused connection; expected a complete answer',
  ])
  expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+ passes calls on to http:\/\/127\.0\.0\.1:\d+/)
})

test('a port that is taken, a sandbox without an address, and a missing key are reported before the proxy listens', async () => {
  using m = machine()
  await using taken = await tcpServer(() => {})
  const env = { BNPL_BASE_URL: 'http://127.0.0.1:1' }
  const refused = async (line: string) => {
    const { code, error } = await m.run(`proxy ${line} --json`, { env })
    return [code, error().code]
  }
  expect(await refused(`--port ${taken.port}`)).toEqual([3, 'PORT_TAKEN'])
  expect(await refused('--with-key')).toEqual([3, 'NO_KEY'])
  expect(await refused('--port x')).toEqual([2, 'INVALID_PORT'])
  expect(await refused('--dry-run')).toEqual([2, 'NO_DRY_RUN'])
  const sandbox = await m.run('proxy -p sandbox --json')
  expect([sandbox.code, sandbox.error().code]).toEqual([3, 'NO_SANDBOX'])
})

test('calls that have no answer when the proxy stops are recorded, and are printed as closed by the proxy', async () => {
  using m = machine()
  let asked = 0
  await using service = await tcpServer((socket) => socket.on('data', () => asked++))
  const env = { BNPL_BASE_URL: `http://127.0.0.1:${service.port}`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
  const { world, stdout, stderr } = m.world({ env })
  const signal = Promise.withResolvers<(name: SignalName) => void>()
  world.takeSignals = (take) => {
    signal.resolve(take)
    return () => {}
  }
  const ran = runCli('proxy --port 0 --ready-file ready --record rec.ndjson'.split(' '), world)
  const file = join(m.dir, 'ready')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\n$/)
  const { url } = JSON.parse(readFileSync(file, 'utf8'))
  const calls = [1, 2, 3].map((i) =>
    fetch(`${url}/partner/pre-loan-request/bnpl`, { method: 'POST', body: order({ externalTrxId: `T${i}` }) }),
  )
  const cut = Promise.allSettled(calls)
  await expect.poll(() => asked).toBe(3)
  // The second signal cuts the calls at once.
  for (const name of ['SIGTERM', 'SIGTERM'] as const) (await signal.promise)(name)
  expect([await ran, (await cut).map(({ status }) => status)]).toEqual([143, ['rejected', 'rejected', 'rejected']])
  expect(stdout().match(/the proxy closed the connection before the answer/g)).toHaveLength(3)
  expect(stdout()).not.toContain('disconnected')
  expect(stderr()).toContain('3 exchanges were recorded in rec.ndjson.')
  expect(stderr()).not.toContain('nothing more is recorded')
  const lines = readFileSync(join(m.dir, 'rec.ndjson'), 'utf8').trimEnd().split('\n')
  const exchanges = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'exchange')
  expect(exchanges.map(({ endpoint, ended }) => [endpoint, ended])).toEqual(
    Array.from({ length: 3 }, () => ['evaluate', 'stopped']),
  )
})

test.each(['000', '099'])('an answer with the status %s is not HTTP, and its recording can be read', async (status) => {
  using m = machine()
  await using service = await tcpServer((socket) => socket.on('data', () => socket.end(`HTTP/1.1 ${status} X\r\n\r\n`)))
  const env = { BNPL_BASE_URL: `http://127.0.0.1:${service.port}`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
  const { stdout } = await whileProxied(m, '--with-key --record rec.ndjson --json', { env }, async (url) => {
    const { port } = new URL(url)
    const request = `GET /partner/webhook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
    expect((await talk(Number(port), request)).text).toBe('')
  })
  expect(JSON.parse(stdout)).toMatchObject({ status: null, problems: [{ seen: 'bytes that are not HTTP' }] })
  const checked = await m.run('contract check rec.ndjson --json')
  expect([checked.code, checked.json()]).toMatchObject([10, [{ where: 'answer', seen: 'bytes that are not HTTP' }]])
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Bodies that cannot be compared with the contract: what is sent, its headers, and whether that is due to its size. */
const UNREAD: [name: string, body: Uint8Array, headers: Record<string, string>, isLarge: boolean][] = [
  ['a cut gzip body', gzipSync(String(order())).subarray(0, 40), { 'content-encoding': 'gzip' }, false],
  ['an unknown coding', Buffer.from(String(order())), { 'content-encoding': 'snappy' }, false],
  [
    'very many codings',
    gzipSync(String(order())),
    { 'content-encoding': Array(51).fill('identity,gzip').join() },
    false,
  ],
  ['a gzip bomb', gzipSync(Buffer.alloc(2_000_000, 'a=b&')), { 'content-encoding': 'gzip' }, true],
  ['a large body', Buffer.alloc(300_000, 'a=b&'), {}, true],
  ['a very large body', Buffer.alloc(3_000_000, 'a=b&'), {}, true],
]

test.each(UNREAD)('--strict does not send a request that it cannot compare: %s', async (_, body, headers, isLarge) => {
  using m = machine()
  let sent = 0
  await using service = await tcpServer((socket) =>
    socket.on('data', () => {
      sent++
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    }),
  )
  const env = { BNPL_BASE_URL: `http://127.0.0.1:${service.port}`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
  await whileProxied(m, '--strict --with-key --json', { env }, async (url) => {
    const call = { method: 'POST', headers: { ...FORM, ...headers }, body: new Uint8Array(body) }
    const answer = await fetch(`${url}/partner/pre-loan-request/bnpl`, call)
    const { error } = JSON.parse(await answer.text())
    const seen = isLarge ? 'a larger body' : 'a body that cannot be decoded'
    expect([answer.status, error.code, error.problems]).toMatchObject([
      400,
      'ERR_PROXY_OFF_CONTRACT',
      [{ where: 'request body', seen }],
    ])
  })
  expect(sent).toBe(0)
})

test.each(UNREAD.filter(([, , , isLarge]) => !isLarge))(
  'an answer that cannot be decoded is reported by the proxy and by contract check of the recording: %s',
  async (_, body, headers) => {
    using m = machine()
    const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    await using service = await tcpServer((socket) =>
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), body]))),
    )
    const env = { BNPL_BASE_URL: `http://127.0.0.1:${service.port}`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
    const { stdout } = await whileProxied(m, '--with-key --json --record rec.ndjson', { env }, async (url) => {
      const { port } = new URL(url)
      await talk(Number(port), `GET /partner/webhook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    })
    const problem = { where: 'answer body', seen: 'a body that cannot be decoded' }
    expect(JSON.parse(stdout)).toMatchObject({ status: 200, problems: [problem] })
    expect((await m.run('contract check rec.ndjson --json')).json()).toMatchObject([problem])
  },
)

test('the proxy calls a service over TLS, and prints lines into a pipe until Ctrl-C; an unknown certificate counts as no answer', async () => {
  await using p = program()
  const { key, cert, certPath } = selfSigned(p.dir, ['IP:127.0.0.1'])
  const service = createServer({ key, cert }, (request, response) => {
    response.setHeader('x-host', request.headers.host ?? '').end('{"data":[]}')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const env = { BNPL_BASE_URL: `https://127.0.0.1:${port}/base`, BNPL_API_KEY: 'bnpl_test_0123456789abcdef' }
  const began = async (name: string, more: Record<string, string>) => {
    const started = p.start(`proxy --with-key --port 0 --ready-file ${name} --json`, { ...env, ...more })
    const file = join(p.dir, name)
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), started)
    return { ...started, url: JSON.parse(readFileSync(file, 'utf8')).url }
  }
  const trusted = await began('trusted', { NODE_EXTRA_CA_CERTS: certPath })
  const answer = await fetch(`${trusted.url}/partner/webhook`)
  expect([await answer.text(), answer.headers.get('x-host')]).toEqual(['{"data":[]}', `127.0.0.1:${port}`])
  const unknown = await began('unknown', {})
  await expect(fetch(`${unknown.url}/partner/webhook`)).rejects.toThrow('fetch failed')
  for (const { child } of [trusted, unknown]) child.kill('SIGINT')
  const [good, bad] = await Promise.all([trusted.ended, unknown.ended])
  expect([good.code, bad.code]).toEqual([130, 130])
  expect(JSON.parse(good.stdout)).toMatchObject({ endpoint: 'listWebhooks', status: 200, problems: [] })
  expect(JSON.parse(bad.stdout)).toMatchObject({ status: null, problems: [{ seen: 'a failed TLS connection' }] })
  service.close()
  service.closeAllConnections()
})
