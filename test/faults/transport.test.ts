import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transport } from '../../src/contract/wire.ts'
import { fakeClock, machine, realClock } from '../kit/harness.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { http, loanAnswer, tcpServer } from './tcp.ts'

const KEY = 'sk-canary-1234567890'
const env = (url: string) => ({ BNPL_API_KEY: KEY, BNPL_BASE_URL: url, BNPL_ENTITY_ID: 'E1' })
const VERIFY = 'verify T1 --json'
const EVALUATE = 'evaluate --rut 11222333-9 --amount 1000 --trx T1 --json'
/** A clock that does not wait between attempts, and otherwise shows the real time. */
const clock = { ...realClock, sleep: async () => {} }

test('if the connection is refused, nothing was sent and the exit code is 9, for a read and for a payment [row 15]', async () => {
  using m = machine()
  const port = await lastingPort()
  for (const line of [VERIFY, EVALUATE]) {
    const ran = await m.run(line, { env: env(`http://127.0.0.1:${port}`), clock })
    expect(ran).toMatchObject({ code: 9, stdout: '' })
    expect(ran.error()).toMatchObject({
      kind: 'network',
      code: 'REFUSED',
      outcome: 'not_sent',
      sent: false,
      attempts: 3,
    })
  }
})

test('if the host name does not exist, nothing was sent and the exit code is 9, for a read and for a payment [row 15]', async () => {
  using m = machine()
  // A label of this length is not allowed in a name, so no name server is asked.
  const nowhere = `https://${'x'.repeat(64)}.invalid`
  for (const line of [VERIFY, EVALUATE]) {
    const ran = await m.run(line, { env: env(nowhere), clock })
    expect(ran).toMatchObject({ code: 9, stdout: '' })
    expect(ran.error()).toMatchObject({ kind: 'network', code: 'DNS', outcome: 'not_sent', sent: false, attempts: 3 })
  }
})

test('a payment call whose connection is cut is sent once, and its outcome is unknown: exit 12 [row 16]', async () => {
  using m = machine()
  await using server = await tcpServer((socket) => socket.destroy())
  const ran = await m.run(EVALUATE, { env: env(server.url), clock })
  expect(ran).toMatchObject({ code: 12, stdout: '' })
  expect(server.requests).toHaveLength(1)
  expect(ran.error()).toMatchObject({ kind: 'outcome-unknown', outcome: 'unknown', sent: true })
  expect(ran.stderr).toContain('Do not run the command again yet')
})

test('a read that is cut is tried three times: exit 9 [row 17]', async () => {
  using m = machine()
  await using server = await tcpServer((socket) => socket.destroy())
  const ran = await m.run(VERIFY, { env: env(server.url), clock })
  expect(ran.code).toBe(9)
  expect(server.requests).toHaveLength(3)
})

test('a read that is cut once succeeds with the second answer [row 17]', async () => {
  using m = machine()
  await using server = await tcpServer((socket, _, n) => (n === 0 ? socket.destroy() : socket.end(loanAnswer())))
  const ran = await m.run(VERIFY, { env: env(server.url), clock })
  expect(ran.code).toBe(0)
  expect(ran.json()).toMatchObject({ externalTrxId: 'T1' })
})

test.each([
  ['content-length: 100\r\n', '{"data"'],
  ['content-length: 100\r\nconnection: close\r\n', '{"data"'],
  ['transfer-encoding: chunked\r\n', '10\r\n{"data"'],
  ['transfer-encoding: chunked\r\nconnection: close\r\n', '10\r\n{"data"'],
])(
  'an answer with an incomplete body counts as a cut connection, whatever its headers say: %j [row 16, row 17]',
  async (head, body) => {
    using m = machine()
    for (const [line, code, tries] of [
      [VERIFY, 9, 3],
      [EVALUATE, 12, 1],
    ] as const) {
      for (const how of ['end', 'resetAndDestroy'] as const) {
        await using server = await tcpServer((socket) =>
          socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n${body}`, () => setTimeout(() => socket[how](), 10)),
        )
        const ran = await m.run(line, { env: env(server.url), clock })
        expect([ran.code, ran.error().code, server.requests.length]).toEqual([code, 'RESET', tries])
      }
    }
  },
)

test.each([
  [VERIFY, 9],
  [EVALUATE, 12],
])('a body that arrives slowly without end is cut at the deadline: %s → %i [row 18]', async (line, code) => {
  using m = machine()
  await using server = await tcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n')
    const drip = setInterval(() => socket.write(' '), 50)
    socket.on('close', () => clearInterval(drip))
  })
  const started = performance.now()
  const ran = await m.run(`${line} --timeout 1s`, { env: env(server.url), clock })
  expect(ran.code).toBe(code)
  expect(ran.error().code).toBe('TIMEOUT')
  expect(performance.now() - started).toBeGreaterThan(950)
  expect(server.requests).toHaveLength(1)
})

test('--timeout is for one call, all its attempts together; the waits between them are not counted [row 18]', async () => {
  using m = machine()
  const attempts = async (ms: number) => {
    const allowed: number[] = []
    const time = fakeClock()
    const transport: Transport = async ({ timeoutMs }) => {
      allowed.push(timeoutMs)
      time.advance(ms)
      return { status: 503, headers: { 'retry-after': '5' }, body: Buffer.from('{}') }
    }
    const options = { env: env('https://api.example.com'), clock: time, transport }
    expect((await m.run(`${VERIFY} --timeout 1s`, options)).code).toBe(8)
    return { allowed, slept: time.slept }
  }
  expect(await attempts(400)).toEqual({ allowed: [1000, 600, 200], slept: [5000, 5000] })
  // After the time is over there is no further attempt.
  expect(await attempts(500)).toEqual({ allowed: [1000, 500], slept: [5000] })
})

test('evaluate is never repeated after a 5xx: exit 12 [row 22]', async () => {
  using m = machine()
  for (const status of [500, 502, 503, 504]) {
    await using server = await tcpServer((socket) => socket.end(http(status, '{}')))
    const ran = await m.run(EVALUATE, { env: env(server.url), clock })
    expect(ran.code).toBe(12)
    expect(server.requests).toHaveLength(1)
  }
})

test('verify is repeated after a 5xx, then exit 8 [row 22]', async () => {
  using m = machine()
  await using server = await tcpServer((socket) => socket.end(http(503, '{}')))
  const ran = await m.run(VERIFY, { env: env(server.url), clock })
  expect(ran.code).toBe(8)
  expect(server.requests).toHaveLength(3)
})

test('an endless body is cut at the size limit: exit 8 for a read, exit 12 for a payment [row 24]', async () => {
  using m = machine()
  const megabyte = `${' '.repeat(1024 * 1024)}`
  await using server = await tcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(megabyte));
    }
    socket.on('drain', more)
    more()
  })
  expect((await m.run(VERIFY, { env: env(server.url), clock })).code).toBe(8)
  expect((await m.run(EVALUATE, { env: env(server.url), clock })).code).toBe(12)
})

test('an answer of 10 MiB is read, one with a byte more is not [row 24]', async () => {
  using m = machine()
  const more = loanAnswer({ more: '' }).split('\r\n\r\n')[1] ?? ''
  const answer = (bytes: number) => more.replace('"more":""', `"more":"${'x'.repeat(bytes - more.length)}"`)
  let body = ''
  for (const chunked of [false, true]) {
    await using server = await tcpServer((socket) =>
      socket.end(
        chunked
          ? `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
          : http(200, body),
      ),
    )
    for (const [bytes, code] of [
      [10 * 1024 * 1024, 0],
      [10 * 1024 * 1024 + 1, 8],
    ] as const) {
      body = answer(bytes)
      expect([chunked, bytes, (await m.run(VERIFY, { env: env(server.url), clock })).code]).toEqual([
        chunked,
        bytes,
        code,
      ])
    }
  }
})

test('an answer with 64 levels of nesting is read, an answer with 65 levels is refused [row 24]', async () => {
  using m = machine()
  for (const [levels, code] of [
    [62, 0],
    [63, 8],
  ] as const) {
    // The answer and its `data` add two levels.
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
    await using server = await tcpServer((socket) =>
      socket.end(http(200, (loanAnswer({ deep: 0 }).split('\r\n\r\n')[1] ?? '').replace('"deep":0', `"deep":${deep}`))),
    )
    const ran = await m.run(VERIFY, { env: env(server.url), clock })
    expect([levels, ran.code]).toEqual([levels, code])
  }
})

test.each([
  ['garbage', 'hello\r\n\r\n'],
  ['two Content-Length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}abc'],
  ['Content-Length and chunked', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a header of 40 kB', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\ncontent-length: 2\r\n\r\n{}`],
  ['an unknown status', 'HTTP/1.1 999 ?\r\ncontent-length: 2\r\n\r\n{}'],
  ['informational answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
])(
  '%s from the server is not reported as a fault in bnpl, and no stack trace is printed [row 27]',
  async (name, text) => {
    using m = machine()
    await using server = await tcpServer((socket) => socket.end(text))
    const ran = await m.run(VERIFY, { env: env(server.url), clock })
    // Without a final answer the call counts as cut, and is safe to run again.
    expect(ran.code).toBe(name.startsWith('informational') ? 9 : 8)
    expect(ran.stderr).not.toMatch(/\n\s+at /)
  },
)

/** Returns the loan for the transaction that a request names. */
const loanOf = (request: string) => loanAnswer({ externalTrxId: /(\w+)\/loan HTTP/.exec(request)?.[1] })

/** Interim answers before the final one, which a server may send to a client that did not ask for them. */
const INTERIM: Readonly<Record<string, string>> = {
  '100': 'HTTP/1.1 100 Continue\r\n\r\n',
  '100 twice': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nx: y\r\n\r\n',
  '100 and 103': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  '103 and 100': 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
}

test.each(Object.entries(INTERIM))(
  'an unrequested interim answer is skipped, even byte by byte and on a kept connection: %s [database 5]',
  async (_, interim) => {
    using m = machine()
    const evaluation = http(200, JSON.stringify({ data: { preApproveId: 'P', installmentOptions: [] } }))
    const answerTo = (request: string) => interim + (request.includes('/loan HTTP') ? loanOf(request) : evaluation)
    for (const slowly of [false, true]) {
      await using server = await tcpServer(async (socket, request) => {
        socket.setNoDelay(true)
        const answer = answerTo(request)
        // The head is sent one byte at a time, so that it arrives in many pieces.
        for (const piece of slowly ? [...interim, answer.slice(interim.length)] : [answer]) {
          socket.write(piece)
          if (slowly) await new Promise((turn) => setImmediate(turn))
        }
      })
      const options = { env: env(server.url), clock }
      for (const line of [VERIFY, EVALUATE]) expect([line, (await m.run(line, options)).code]).toEqual([line, 0])
      expect(server.requests).toHaveLength(2)
      const results = slowly ? 'slow' : 'fast'
      writeFileSync(join(m.dir, 'orders.csv'), 'trx\nT1\nT2\nT3\n')
      expect((await m.run(`verify --from orders.csv --concurrency 1 --out ${results}.csv`, options)).code).toBe(0)
      expect([server.requests.length, server.connections]).toEqual([5, 3])
    }
  },
)

test('a kept connection that the server closes does not end a run: each read is repeated, on a new connection', async () => {
  using m = machine()
  const served = new Set<Socket>()
  // Every second answer is the last one of its connection. The next request on that connection gets a reset, because the server had closed
  // it.
  await using server = await tcpServer((socket, request, n) => {
    if (served.has(socket)) return void socket.resetAndDestroy()
    if (n % 2 === 0) served.add(socket)
    socket.write(loanOf(request))
  })
  const rows = Array.from({ length: 20 }, (_, n) => `T${n}`)
  writeFileSync(join(m.dir, 'orders.csv'), `trx\n${rows.join('\n')}\n`)
  const ran = await m.run('verify --from orders.csv --concurrency 1 --out r.csv --json', {
    env: env(server.url),
    clock,
  })
  expect([ran.code, ran.json()], ran.stderr).toMatchObject([0, {}])
  expect(server.requests.length).toBeGreaterThan(rows.length)
})

test('a payment call always opens a fresh connection [row 30]', async () => {
  using m = machine()
  const body = { preApproveId: 'P', installmentOptions: [] }
  await using server = await tcpServer((socket) => socket.write(http(200, JSON.stringify({ data: body }))))
  for (let i = 0; i < 5; i++) expect((await m.run(EVALUATE, { env: env(server.url), clock })).code).toBe(0)
  expect(server.connections).toBe(5)
  expect(server.requests[0]).toMatch(/connection: close/i)
})

test('in one run every payment call also opens a new connection, while reads share theirs [row 30]', async () => {
  using m = machine()
  const body = { preApproveId: 'P', installmentOptions: [] }
  await using server = await tcpServer((socket, request) =>
    socket.write(request.includes('/loan HTTP') ? loanAnswer() : http(200, JSON.stringify({ data: body }))),
  )
  const rows = (line: (n: number) => string) => Array.from({ length: 6 }, (_, n) => line(n)).join('\n')
  writeFileSync(join(m.dir, 'pay.csv'), `rut,amount,trx\n${rows((n) => `11222333-9,1000,T${n}`)}`)
  writeFileSync(join(m.dir, 'read.csv'), `trx\n${rows((n) => `T${n}`)}`)
  const options = { env: env(server.url), clock }
  expect((await m.run('evaluate --from pay.csv --concurrency 1', options)).code).toBe(0)
  expect(server.connections).toBe(6)
  await m.run('verify --from read.csv --concurrency 1', options)
  expect([server.requests.length, server.connections]).toEqual([12, 7])
})

test('the key is sent only in the Authorization header', async () => {
  using m = machine()
  await using server = await tcpServer((socket) => socket.end(loanAnswer()))
  const ran = await m.run(`${VERIFY} --verbose`, { env: env(server.url), clock })
  expect(server.requests[0]).toContain(`authorization: Bearer ${KEY}\r\n`)
  expect(ran.stderr).toContain('/partner/pre-approve/T1/loan → 200')
  expect(ran.stderr + ran.stdout).not.toContain(KEY)
})
