import { expect, test } from 'vitest'
import { lastingPort } from '../../test/lasting-port.ts'
import { proxied, talk, tcpServer } from '../../test/proxied.ts'

const text = (...lines: string[]) => lines.join('\r\n')

/** Unusual answers of a service, by the last word of the path, and what happens to the connection afterwards. */
const ODD: Record<string, [answer: string, then: 'keep' | 'end' | 'reset']> = {
  length: [text('HTTP/1.1 200 Fine by me', 'CONTENT-length: 5', 'X-A: 1', 'x-a:2', '', 'hello'), 'keep'],
  chunked: [
    text('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '3;a=b', 'abc', '0002', 'de', '0', '', ''),
    'keep',
  ],
  trailers: [
    text('HTTP/1.1 200 OK', 'Trailer: X-Sum', 'Transfer-Encoding: chunked', '', '1', 'a', '0', 'X-Sum: 77', '', ''),
    'keep',
  ],
  interim: [
    text(
      'HTTP/1.1 103 Early Hints',
      'Link: </a>',
      '',
      'HTTP/1.1 102 Processing',
      '',
      'HTTP/1.1 204 No Content',
      '',
      '',
    ),
    'keep',
  ],
  'not-modified': [text('HTTP/1.1 304 Not Modified', 'Content-Length: 900', '', ''), 'keep'],
  close: [text('HTTP/1.0 200 OK', '', 'until the end'), 'end'],
  lines: ['HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'keep'],
  cut: [text('HTTP/1.1 200 OK', 'Content-Length: 500', '', 'only this'), 'end'],
  'cut-chunk': [text('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'ff', 'only this'), 'end'],
  reset: [text('HTTP/1.1 200 OK', 'Content-Length: 500', '', 'only this'), 'reset'],
  silent: ['', 'end'],
  'reset-at-once': ['', 'reset'],
  garbage: ['SSH-2.0-OpenSSH\r\n', 'end'],
  'bad-chunk': [text('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'xyz', 'abc', ''), 'end'],
  'bad-head': [text('HTTP/1.1 200 OK', 'no colon here', '', 'abc'), 'end'],
}

/** A service that gives these answers and keeps the bytes that it received. */
async function oddService() {
  const got: string[] = []
  const server = await tcpServer((socket) => {
    const index = got.push('') - 1
    socket.on('end', () => socket.end())
    socket.on('data', (chunk) => {
      got[index] += chunk.toString('latin1')
      const request = got[index] ?? ''
      if (!request.endsWith('.')) return
      const name = /\/(\S+) HTTP/.exec(request.slice(request.lastIndexOf('POST')))?.[1] ?? ''
      const [answer, then] = ODD[name] ?? ['', 'end']
      socket.write(answer, 'latin1', () => {
        if (then === 'end') socket.end()
        if (then === 'reset') socket.resetAndDestroy()
      })
    })
  })
  return { ...server, got }
}

const asked = (port: number, name: string) =>
  text(`POST /${name} HTTP/1.1`, `hOST:  127.0.0.1:${port}`, 'X-B: 1', 'x-b: 2', 'Content-Length: 2', '', 'a.')

test.each(Object.keys(ODD))(
  'an unusual answer passes byte for byte, and the connection ends in the same way: %s',
  async (name) => {
    await using service = await oddService()
    await using proxy = await proxied(service.port)
    const [answer, then] = ODD[name] ?? ['', 'end']
    const enough = then === 'keep' ? answer : undefined
    const direct = await talk(service.port, asked(service.port, name), enough)
    const through = await talk(proxy.port, asked(proxy.port, name), enough)
    expect(direct.text).toBe(answer)
    expect(through).toEqual(direct)
    expect(service.got).toEqual([asked(service.port, name), asked(service.port, name)])
    await expect.poll(() => proxy.seen.length).toBe(1)
  },
)

test('the proxy reports status, end and size of each answer, and compares the answer with the contract', async () => {
  await using service = await oddService()
  await using proxy = await proxied(service.port)
  const seen: Record<string, [status: number | null, ended: string | undefined, size: number | undefined]> = {}
  for (const [i, name] of Object.keys(ODD).entries()) {
    const [answer, then] = ODD[name] ?? ['', 'end']
    await talk(proxy.port, asked(proxy.port, name), then === 'keep' ? answer : undefined)
    await expect.poll(() => proxy.seen.length).toBe(i + 1)
    const { status, ended, response } = proxy.seen[i] ?? {}
    seen[name] = [status ?? null, ended, response?.size]
  }
  expect(seen).toEqual({
    length: [200, undefined, 5],
    chunked: [200, undefined, 5],
    trailers: [200, undefined, 1],
    interim: [204, undefined, 0],
    'not-modified': [304, undefined, 0],
    close: [200, undefined, 13],
    lines: [200, undefined, 2],
    cut: [200, 'reset', undefined],
    'cut-chunk': [200, 'reset', undefined],
    reset: [200, 'reset', undefined],
    silent: [null, 'reset', undefined],
    'reset-at-once': [null, 'reset', undefined],
    garbage: [null, 'garbled', undefined],
    'bad-chunk': [200, 'garbled', undefined],
    'bad-head': [null, 'garbled', undefined],
  })
  expect(proxy.seen.flatMap(({ held }) => held.problems.map(({ where }) => where))).toContain('answer')
})

test('if the service refuses the connection, the program gets no answer and the refusal is reported', async () => {
  await using proxy = await proxied(await lastingPort())
  expect(await talk(proxy.port, asked(proxy.port, 'x'))).toEqual({ text: '', end: 'ECONNRESET' })
  expect(proxy.seen).toMatchObject([{ status: null, ended: 'refused' }])
  expect(proxy.seen[0]?.held.problems).toContainEqual({
    where: 'answer',
    expected: 'a complete answer',
    seen: 'a refused connection',
  })
})

test('a program that leaves early ends its call at the service', async () => {
  const left = Promise.withResolvers<void>()
  await using service = await tcpServer((socket) => {
    socket.resume().on('end', () => left.resolve())
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
  })
  await using proxy = await proxied(service.port)
  await talk(proxy.port, asked(proxy.port, 'x'), 'half')
  await left.promise
  for (const socket of service.open) socket.end()
  await expect.poll(() => proxy.seen).toMatchObject([{ status: 200, ended: 'aborted' }])
})

test('pipelined requests reach the service in their order, and the first answer reaches the program', async () => {
  await using service = await oddService()
  await using proxy = await proxied(service.port)
  const names = ['length', 'length', 'length']
  const bytes = names.map((name) => asked(proxy.port, name)).join('')
  const answer = ODD.length?.[0] ?? ''
  expect((await talk(proxy.port, bytes, answer)).text.startsWith(answer)).toBe(true)
  expect(service.got[0]).toBe(names.map((name) => asked(service.port, name)).join(''))
})

test('after a protocol upgrade every byte passes, in both directions', async () => {
  await using service = await tcpServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n')
      socket.on('data', (chunk) => socket.write(chunk))
    })
  })
  await using proxy = await proxied(service.port)
  const { connect } = await import('node:net')
  const socket = connect(proxy.port, '127.0.0.1')
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1')
  })
  socket.write(asked(proxy.port, 'x'))
  await expect.poll(() => got).toContain('101')
  socket.write('\u0000\u0001 GET \r\n\r\n HTTP')
  await expect.poll(() => got.endsWith('\u0000\u0001 GET \r\n\r\n HTTP')).toBe(true)
  socket.destroy()
})

test('a wrong Host header, a target that is not a path, and bytes that are not HTTP never reach the service', async () => {
  await using service = await oddService()
  await using proxy = await proxied(service.port)
  const own = `Host: 127.0.0.1:${proxy.port}`
  const answers = await Promise.all(
    [
      text('GET / HTTP/1.1', 'Host: evil.example', '', ''),
      text('GET / HTTP/1.1', own, own, '', ''),
      text('GET / HTTP/1.0', '', ''),
      text('GET http://evil.example/ HTTP/1.1', own, '', ''),
      text('CONNECT evil.example:443 HTTP/1.1', own, '', ''),
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
      'SSH-2.0-x\r\n\r\n',
    ].map((bytes) => talk(proxy.port, bytes)),
  )
  expect(answers.map(({ text }) => text.slice(9, 12))).toEqual(['421', '400', '421', '400', '400', '', ''])
  expect([service.got, proxy.notHttp]).toEqual([[], [true, false]])
})

const EVALUATE = 'idNumber=87654321-4&amount=250.000&entityId=E1&externalTrxId=T1'
const evaluation = (port: number, body = EVALUATE, ...headers: string[]) =>
  text(
    'POST /partner/pre-loan-request/bnpl HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  )

/** A service that answers every request at once and keeps the bytes of the requests. */
async function plainService() {
  const got: string[] = []
  const server = await tcpServer((socket) => {
    socket.on('end', () => socket.end())
    socket.on('data', (chunk) => {
      got.push(chunk.toString('latin1'))
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    })
  })
  return { ...server, got }
}

test('strict: a request off the contract is answered 400 with its problems, and not sent to the service', async () => {
  await using service = await plainService()
  await using proxy = await proxied(service.port, { strict: true })
  const key = 'Authorization: Bearer some-key'
  const right = EVALUATE.replace('250.000', '250000')
  const { text: answer } = await talk(proxy.port, evaluation(proxy.port, right, key) + evaluation(proxy.port))
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{\}HTTP\/1\.1 400 Bad Request/)
  const { error } = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))
  expect(error).toMatchObject({
    code: 'ERR_PROXY_OFF_CONTRACT',
    problems: [
      { where: 'request header authorization' },
      { where: 'request form amount', seen: 'a text such as 000.000' },
    ],
  })
  expect(service.got.join('')).toBe(evaluation(service.port, right, key))
  expect(proxy.seen.map(({ status }) => status)).toEqual([400, 200])
  // The program waits for `100 Continue` before it sends the body. The proxy sends it, because it has to compare the body.
  const waiting = evaluation(proxy.port, right, key, 'Expect: 100-continue')
  expect((await talk(proxy.port, waiting, '{}')).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
})

test.each([
  ['Content-Length: abc', 'request headers'],
  ['Transfer-Encoding: gzip', 'request headers'],
  ['Transfer-Encoding: chunked', 'request body'],
])('strict: a request is answered 400 and not sent if its end cannot be found: %s', async (header, where) => {
  await using service = await plainService()
  await using proxy = await proxied(service.port, { strict: true })
  const head = evaluation(proxy.port, '', 'Authorization: Bearer some-key').replace(/Content-Length: .*/, header)
  const { text: answer } = await talk(proxy.port, `${head}idNumber=11111111-1\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
  const { error } = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))
  expect([error.code, error.problems]).toMatchObject(['ERR_PROXY_OFF_CONTRACT', [{ where }]])
  expect([service.got, proxy.seen.map(({ status }) => status)]).toEqual([[], [400]])
})

test('the profile’s key is added only if configured, only where a key is needed, and never for a browser page', async () => {
  await using service = await plainService()
  await using plain = await proxied(service.port)
  await talk(plain.port, evaluation(plain.port), '{}')
  expect(service.got.pop()).not.toMatch(/authorization/i)
  await using proxy = await proxied(service.port, { apiKey: 'the-profiles-key' })
  await talk(proxy.port, evaluation(proxy.port), '{}')
  await talk(proxy.port, evaluation(proxy.port, EVALUATE, 'AUTHORIZATION: Bearer mine', 'authorization: x'), '{}')
  const keys = service.got.map((request) => request.match(/^authorization:.*$/gim))
  expect(keys).toEqual([['Authorization: Bearer the-profiles-key'], ['AUTHORIZATION: Bearer the-profiles-key']])
  const link = text('GET /partner/informe/abc HTTP/1.1', `Host: 127.0.0.1:${proxy.port}`, '', '')
  await talk(proxy.port, link, '{}')
  expect(service.got.pop()).not.toMatch(/authorization/i)
  for (const origin of ['Origin: https://evil.example', 'origin: null', 'Sec-Fetch-Site: cross-site'])
    expect((await talk(proxy.port, evaluation(proxy.port, EVALUATE, origin))).text).toMatch(/^HTTP\/1\.1 403/)
  expect(service.got).toHaveLength(2)
  expect(JSON.stringify(proxy.seen)).not.toContain('the-profiles-key')
})

test('the path of the base address is put before every path, and a compressed answer is compared too', async () => {
  const { gzipSync } = await import('node:zlib')
  const packed = gzipSync('{"data":{"loanRequestId":7}}')
  const got: string[] = []
  await using service = await tcpServer((socket) => {
    socket.once('data', (chunk) => {
      got.push(chunk.toString('latin1'))
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
      socket.write(packed)
    })
  })
  await using proxy = await proxied(service.port, { baseUrl: `http://localhost:${service.port}/production/` })
  const request = evaluation(proxy.port).replace('bnpl HTTP', 'loan-request HTTP')
  await talk(proxy.port, request, packed.toString('latin1'))
  expect(got[0]).toContain(
    `POST /production/partner/pre-loan-request/loan-request HTTP/1.1\r\nHost: localhost:${service.port}\r\n`,
  )
  await expect.poll(() => proxy.seen[0]?.held.problems.map(({ where }) => where)).toContain('answer data.loanRequestId')
})
