import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { lastingPort } from '../../../test/kit/lasting-port.ts'
import { proxied, talk, tcpServer } from '../../../test/kit/proxied.ts'

const text = (...lines: string[]) => lines.join('\r\n')

interface Odd {
  answer: string
  ending: 'keep' | 'end' | 'reset'
  /** The bytes that the program gets, if they differ from the answer. */
  passed?: string
}

const HEAD = text('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '')

/** Unusual answers of a service, by the last word of the path, and what happens to the connection afterwards. */
const ODD: Record<string, Odd> = {
  length: {
    answer: text('HTTP/1.1 200 Fine by me', 'CONTENT-length: 5', 'X-A: 1', 'x-a: 2', '', 'hello'),
    ending: 'keep',
  },
  chunked: {
    answer: `${HEAD}${text('3;a=b', 'abc', '0002', 'de', '0', '', '')}`,
    ending: 'keep',
    passed: `${HEAD}${text('3', 'abc', '2', 'de', '0', '', '')}`,
  },
  trailers: {
    answer: text(
      'HTTP/1.1 200 OK',
      'Trailer: X-Sum',
      'Transfer-Encoding: chunked',
      '',
      '1',
      'a',
      '0',
      'X-Sum: 77',
      '',
      '',
    ),
    ending: 'keep',
  },
  interim: {
    answer: text(
      'HTTP/1.1 103 Early Hints',
      'Link: </a>',
      '',
      'HTTP/1.1 102 Processing',
      '',
      'HTTP/1.1 204 No Content',
      '',
      '',
    ),
    ending: 'keep',
    passed: text('HTTP/1.1 204 No Content', '', ''),
  },
  'not-modified': { answer: text('HTTP/1.1 304 Not Modified', 'Content-Length: 900', '', ''), ending: 'keep' },
  close: {
    answer: text('HTTP/1.0 200 OK', '', 'until the end'),
    ending: 'end',
    passed: text('HTTP/1.1 200 OK', '', 'until the end'),
  },
  cut: { answer: text('HTTP/1.1 200 OK', 'Content-Length: 500', '', 'only this'), ending: 'end' },
  'cut-chunk': {
    answer: `${HEAD}${text('ff', 'only this')}`,
    ending: 'end',
    passed: `${HEAD}${text('9', 'only this', '')}`,
  },
  reset: { answer: text('HTTP/1.1 200 OK', 'Content-Length: 500', '', 'only this'), ending: 'reset' },
  silent: { answer: '', ending: 'end' },
  'reset-at-once': { answer: '', ending: 'reset' },
  garbage: { answer: 'SSH-2.0-OpenSSH\r\n', ending: 'end', passed: '' },
  'bad-chunk': { answer: `${HEAD}${text('xyz', 'abc', '')}`, ending: 'end', passed: HEAD },
  'bad-head': { answer: text('HTTP/1.1 200 OK', 'no colon here', '', 'abc'), ending: 'end', passed: '' },
}

const passedBy = (name: string) => ODD[name]?.passed ?? ODD[name]?.answer ?? ''

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
      const { answer, ending } = ODD[name] ?? { answer: '', ending: 'end' }
      socket.write(answer, 'latin1', () => {
        if (ending === 'end') socket.end()
        if (ending === 'reset') socket.resetAndDestroy()
      })
    })
  })
  return { ...server, got }
}

const asked = (port: number, name: string) =>
  text(`POST /${name} HTTP/1.1`, `hOST: 127.0.0.1:${port}`, 'X-B: 1', 'x-b: 2', 'Content-Length: 2', '', 'a.')

test.each(Object.keys(ODD))(
  'an unusual answer passes with its status, headers and body, and the connection ends in the same way: %s',
  async (name) => {
    await using service = await oddService()
    await using proxy = await proxied(service.port)
    const { answer, ending } = ODD[name] as Odd
    const direct = await talk(service.port, asked(service.port, name), ending === 'keep' ? answer : undefined)
    const through = await talk(proxy.port, asked(proxy.port, name), ending === 'keep' ? passedBy(name) : undefined)
    expect(direct.text).toBe(answer)
    expect(through).toEqual({ ...direct, text: passedBy(name) })
    expect(service.got).toEqual([asked(service.port, name), asked(service.port, name)])
    await expect.poll(() => proxy.seen.length).toBe(1)
  },
)

test('the proxy reports status, end and size of each answer, and compares the answer with the contract', async () => {
  await using service = await oddService()
  await using proxy = await proxied(service.port)
  const seen: Record<string, [status: number | null, ended: string | undefined, size: number | undefined]> = {}
  for (const [i, name] of Object.keys(ODD).entries()) {
    const isKept = ODD[name]?.ending === 'keep'
    await talk(proxy.port, asked(proxy.port, name), isKept ? passedBy(name) : undefined)
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
    cut: [200, 'reset', undefined],
    'cut-chunk': [200, 'reset', undefined],
    reset: [200, 'reset', undefined],
    silent: [null, 'reset', undefined],
    'reset-at-once': [null, 'reset', undefined],
    garbage: [null, 'garbled', undefined],
    'bad-chunk': [200, 'garbled', undefined],
    'bad-head': [null, 'garbled', undefined],
  })
  expect(proxy.seen.flatMap(({ compared }) => compared.problems.map(({ where }) => where))).toContain('answer')
})

test('if the service refuses the connection, the program gets no answer and the refusal is reported', async () => {
  await using proxy = await proxied(await lastingPort())
  expect(await talk(proxy.port, asked(proxy.port, 'x'))).toEqual({ text: '', end: 'ECONNRESET' })
  expect(proxy.seen).toMatchObject([{ status: null, ended: 'refused' }])
  expect(proxy.seen[0]?.compared.problems).toContainEqual({
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

test('pipelined requests reach the service in their order, and their answers reach the program in this order', async () => {
  await using service = await oddService()
  await using proxy = await proxied(service.port)
  const names = ['length', 'trailers', 'length']
  const bytes = names.map((name) => asked(proxy.port, name)).join('')
  const answers = names.map(passedBy).join('')
  expect((await talk(proxy.port, bytes, answers)).text).toBe(answers)
  expect(service.got[0]).toBe(names.map((name) => asked(service.port, name)).join(''))
})

const GET = (port: number, target: string) => text(`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, '', '')

test.each([
  '/partner/webhook /partner/EVIL',
  '/partner/webhook\t/partner/EVIL',
  '/partner/webhook\u000b',
  '/partner/webhook\u0000',
  '/partner/web\u007fhook',
  '/partner/webh\u00f3ok',
  '/partner/webhook#x',
  '/partner\\webhook',
  'http://evil.example/partner/webhook',
  '//evil.example/partner/webhook',
  '/%2fevil.example/partner/webhook',
  '/\\evil.example',
  '/../partner/webhook',
  '/partner/../../webhook',
  '/partner/%2e%2e/%2E./webhook',
  '/partner/..%2f..%2fwebhook',
  '/partner/..%5c..%5cwebhook',
  '/partner/%252e%252e/webhook',
  '/partner/..;a=b/webhook',
  '/partner/./webhook',
  '*',
  'partner/webhook',
  '',
])(
  'a request is answered 400 and never forwarded if another server could read its target otherwise: %j',
  async (target) => {
    await using service = await plainService()
    await using proxy = await proxied(service.port, {
      apiKey: 'the-profiles-key',
      baseUrl: `http://127.0.0.1:${service.port}/production`,
    })
    expect((await talk(proxy.port, GET(proxy.port, target))).text).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*ERR_PROXY_(TARGET|MALFORMED)/,
    )
    expect(service.got).toEqual([])
  },
)

test.each(['/partner/pre-approve/a%2Fb/loan', '/partner/a..b/...', '/partner/webhook?to=/../%2e%2e//x', '/'])(
  'a target that stays below the address of the service is forwarded unchanged: %s',
  async (target) => {
    await using service = await plainService()
    await using proxy = await proxied(service.port)
    await talk(proxy.port, GET(proxy.port, target), '{}')
    expect(service.got).toEqual([GET(service.port, target)])
  },
)

test.each([
  ['two lengths', ['Content-Length: 1', 'Content-Length: 2']],
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
  ['a coding after chunks', ['Transfer-Encoding: chunked, gzip']],
  ['a header name with a space', ['Content-Length : 5']],
  ['a folded header', ['X-A: 1', ' Content-Length: 5']],
  ['a carriage return in a header', ['X-A: 1\rContent-Length: 5']],
])(
  'a request whose end two servers could read differently is answered 400 and never forwarded: %s',
  async (_, headers) => {
    await using service = await plainService()
    await using proxy = await proxied(service.port)
    const request = text('POST /x HTTP/1.1', `Host: 127.0.0.1:${proxy.port}`, ...headers, '', '0', '', '')
    expect((await talk(proxy.port, request)).text).toMatch(/^HTTP\/1\.1 400 [\s\S]*ERR_PROXY_MALFORMED/)
    expect(service.got).toEqual([])
  },
)

test('a body in thousands of chunks of one byte ends its call', async () => {
  await using service = await tcpServer((socket) => socket.resume())
  await using proxy = await proxied(service.port)
  const head = text('POST /x HTTP/1.1', `Host: 127.0.0.1:${proxy.port}`, 'Transfer-Encoding: chunked', '', '')
  await talk(proxy.port, `${head}${'1\r\nx\r\n'.repeat(20_000)}`)
  expect(proxy.seen).toMatchObject([{ ended: 'garbled', status: null }])
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
  expect(proxy.seen.map(({ status }) => status)).toEqual([200, 400])
  // The program waits for `100 Continue` before it sends the body. The proxy sends it, because it has to compare the body.
  const waiting = evaluation(proxy.port, right, key, 'Expect: 100-continue')
  expect((await talk(proxy.port, waiting, '{}')).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
})

test.each(['Content-Length: abc', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'])(
  'strict: a request is answered 400 and not sent if its end cannot be found: %s',
  async (header) => {
    await using service = await plainService()
    await using proxy = await proxied(service.port, { strict: true })
    const head = evaluation(proxy.port, '', 'Authorization: Bearer some-key').replace(/Content-Length: .*/, header)
    const { text: answer } = await talk(proxy.port, `${head}idNumber=11222333-9\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    const { error } = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))
    expect(error.code).toBe('ERR_PROXY_MALFORMED')
    expect([service.got, proxy.seen]).toEqual([[], []])
  },
)

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
  await expect
    .poll(() => proxy.seen[0]?.compared.problems.map(({ where }) => where))
    .toContain('answer data.loanRequestId')
})

test('a program that disconnects while the service refuses connections leaves no open connection in the proxy', async () => {
  await using proxy = await proxied(await lastingPort())
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const socket = connect({ port: proxy.port, host: '127.0.0.1' }).on('error', () => {})
      const closed = once(socket, 'close')
      socket.resume().end(`GET /x HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\n\r\n`)
      await closed.catch(() => {})
    }),
  )
  await expect.poll(() => proxy.door.connections()).toBe(0)
})
