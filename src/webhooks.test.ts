import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type ClientHttp2Stream, connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { machine } from '../test/kit/harness.ts'
import { patient } from '../test/kit/patient.ts'
import { sign } from './domain/signature.ts'
import {
  createWebhooks,
  type EventStore,
  memoryStore,
  readEvent,
  verifyRawBody,
  type WebhookEvent,
  type WebhookOptions,
  type Webhooks,
} from './webhooks.ts'

const SECRET = 'whsec_of_this_test_0123456789'
const TOKEN = 'token_of_this_test_0123456789'
const body = (eventId = 'E1', data: unknown = { externalTrxId: 'T1' }) => Buffer.from(JSON.stringify({ eventId, data }))
const signed = (bytes: Uint8Array, secret = SECRET) => ({
  'service-signature': sign(bytes, secret, { algorithm: 'sha256', encoding: 'hex' }),
})

function errorOf(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    return error
  }
}

/** Returns a receiver that records its events, refusals and errors. */
function receiver(more: Partial<WebhookOptions<void>> = {}) {
  const seen = { events: [] as WebhookEvent[], refusals: [] as unknown[], errors: [] as unknown[] }
  const webhooks = createWebhooks({
    secret: SECRET,
    onEvent: (event) => void seen.events.push(event),
    onRefused: (refusal) => seen.refusals.push(refusal),
    onError: (error) => seen.errors.push(error),
    ...more,
  })
  return { ...seen, webhooks, handle: (bytes: Uint8Array, headers = signed(bytes)) => webhooks.handle(bytes, headers) }
}

test('the scheme is accepted as the service writes it, and a misspelt option is refused at once', async () => {
  const { webhooks } = receiver({ scheme: 'HMAC' })
  expect(await webhooks.handle(body(), signed(body()))).toMatchObject({ status: 200 })
  expect(await webhooks.handle(body(), { 'service-webhook-secret': SECRET } as never)).toMatchObject({ status: 401 })
  for (const [wrong, words] of [
    [{ scheme: 'jwt' }, 'scheme must be one of hmac, token'],
    [{ algorithm: 'sha3' }, 'algorithm must be one of sha256,'],
    [{ encoding: 'hexx' }, 'encoding must be one of hex, base64'],
  ] as const)
    expect(() => receiver(wrong as never)).toThrow(words)
  expect(readEvent(body(), 'HMAC')).toMatchObject({ ok: true, event: { event: 'loan_approved' } })
  expect(() => readEvent(body(), 'jwt' as never)).toThrow('scheme must be one of hmac, token')
})

describe('a delivery', () => {
  test('that is signed is given to the handler once, with the eventId and the data of the envelope', async () => {
    const { handle, events } = receiver({ store: memoryStore() })
    expect(await handle(body())).toEqual({ status: 200, text: 'ok\n' })
    expect(await handle(body('E1', { other: true }))).toEqual({ status: 200, text: 'ok\n' })
    expect(events).toEqual([{ event: 'loan_approved', eventId: 'E1', data: { externalTrxId: 'T1' } }])
  })

  test.each([
    ['without a signature', {}, 'missing'],
    ['with an empty signature', { 'service-signature': '' }, 'missing'],
    ['with a signature of another secret', signed(body(), 'other'), 'wrong'],
    [
      'with half of the right signature',
      { 'service-signature': signed(body())['service-signature'].slice(0, 32) },
      'wrong',
    ],
    ['with the signature twice', { 'service-signature': [signed(body())['service-signature'], 'x'] }, 'wrong'],
    ['with the right signature and a token', { ...signed(body()), 'service-webhook-secret': SECRET }, 'other-scheme'],
  ])('%s is answered 401, and the handler does not see it', async (_, headers, reason) => {
    const { webhooks, events, refusals } = receiver()
    expect(await webhooks.handle(body(), headers)).toEqual({ status: 401, text: 'not verified\n' })
    expect([events, refusals]).toEqual([[], [{ status: 401, reason }]])
  })

  test('is verified on its raw bytes, whatever its whitespace and escapes', async () => {
    const { handle, events } = receiver()
    const spaced = Buffer.from(
      '{\r\n  "data" : {"nombre":"\\u00d1and\\u00fa", "n":12345678901234567890},\n "eventId":7 }',
    )
    expect(await handle(spaced)).toMatchObject({ status: 200 })
    expect(JSON.stringify(events)).toBe(
      '[{"event":"loan_approved","eventId":"7","data":{"nombre":"Ñandú","n":"12345678901234567890"}}]',
    )
    const again = Buffer.from(JSON.stringify(JSON.parse(spaced.toString())))
    expect(await handle(again, signed(spaced))).toMatchObject({ status: 401 })
  })

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-9007199254740993', '-9007199254740993'],
    ['1.2345678901234567e+18', '1.2345678901234567e+18'],
    ['9007199254740991', 9007199254740991],
    ['7', 7],
  ])('has the number %s of its data as %j, at every depth', async (sent, read) => {
    const { handle, events } = receiver()
    const text = `{"eventId":${sent},"data":{"externalTrxId":${sent},"loan":{"amounts":[${sent}]},"nothing":null}}`
    expect(await handle(Buffer.from(text))).toMatchObject({ status: 200 })
    expect(events).toMatchObject([
      { eventId: sent, data: { externalTrxId: read, loan: { amounts: [read] }, nothing: null } },
    ])
    expect(`${events[0]?.data.externalTrxId}`).toBe(sent)
  })

  test('of a lead has its pre-approval id as text, also if the id was sent as a long number', async () => {
    const { webhooks, events } = receiver({ scheme: 'token', secret: TOKEN })
    const sent = Buffer.from('{"eventId":"E1","data":{"idPreAprobacion":1234567890123456789}}')
    expect(await webhooks.handle(sent, { 'service-webhook-secret': TOKEN })).toMatchObject({ status: 200 })
    expect(events).toMatchObject([{ event: 'pre_approve', preApproveId: '1234567890123456789' }])
  })

  test('is accepted with capitals in the header name, and with a Headers object', async () => {
    const { webhooks } = receiver()
    const { 'service-signature': signature } = signed(body())
    for (const headers of [{ 'Service-Signature': signature }, new Headers({ 'Service-Signature': signature })])
      expect(await webhooks.handle(body(), headers)).toMatchObject({ status: 200 })
  })

  test('is accepted with the old or the new secret during a rotation, and with a secret from a function', async () => {
    const rotating = receiver({ secret: ['new', 'old'] })
    for (const secret of ['new', 'old'])
      expect(await rotating.handle(body(), signed(body(), secret))).toMatchObject({ status: 200 })
    const asked = receiver({ secret: async () => ['later'] })
    expect(await asked.handle(body(), signed(body(), 'later'))).toMatchObject({ status: 200 })
  })

  test('with another algorithm and encoding is accepted if the options set both', async () => {
    const settings = { algorithm: 'sha512', encoding: 'base64' } as const
    const { handle } = receiver(settings)
    expect(await handle(body(), { 'service-signature': sign(body(), SECRET, settings) })).toMatchObject({ status: 200 })
    expect(await handle(body())).toMatchObject({ status: 401 })
  })

  test('that is signed but is not an event is answered 400', async () => {
    const { handle, refusals } = receiver()
    for (const text of [
      '',
      '[]',
      '{"eventId":"E1"}',
      '{"eventId":"E1","data":7}',
      '{"eventId":"E1","eventId":"E2","data":{}}',
    ])
      expect(await handle(Buffer.from(text))).toEqual({ status: 400, text: 'not an event\n' })
    expect(refusals).toMatchObject([
      { reason: 'it is empty' },
      { reason: 'it is not an object' },
      { reason: 'it has no data' },
      { reason: 'its data is not an object' },
      { reason: expect.stringContaining('eventId twice') },
    ])
  })

  test('is answered 500 if the handler fails, and is handled when sent again', async () => {
    let fails = true
    const { handle, errors, events } = receiver({
      store: memoryStore(),
      onEvent(event) {
        if (fails) throw new Error('the database is away')
        events.push(event)
      },
    })
    expect(await handle(body())).toEqual({ status: 500, text: 'fault\n' })
    fails = false
    expect(await handle(body())).toMatchObject({ status: 200 })
    expect([errors, events.length]).toEqual([[new Error('the database is away')], 1])
  })

  test('of a token destination is recognized as new_lead or pre_approve by its fields', async () => {
    const { webhooks, events } = receiver({ scheme: 'token', secret: TOKEN })
    const headers = { 'service-webhook-secret': TOKEN }
    await webhooks.handle(body('E1', { nombres: 'Ana' }), headers)
    await webhooks.handle(body('E2', { idPreAprobacion: 'P1', urlInforme: 'https://s.example/r' }), headers)
    await webhooks.handle(body('E3', { idPreAprobacion: 7, urlInforme: '' }), headers)
    expect(events).toMatchObject([
      { event: 'new_lead', eventId: 'E1', data: { nombres: 'Ana' } },
      { event: 'pre_approve', preApproveId: 'P1', urlInforme: 'https://s.example/r' },
      { event: 'pre_approve', preApproveId: '7', urlInforme: undefined },
    ])
    expect(await webhooks.handle(body(), signed(body(), TOKEN))).toMatchObject({ status: 401 })
    expect(readEvent(body(), 'token')).toMatchObject({ ok: true, event: { event: 'new_lead' } })
  })
})

/** Texts that are not a secret, each with the words that say why. */
const NO_SECRETS: readonly [secret: unknown, says: string][] = [
  ['', 'is empty'],
  [' \r\n', 'is empty: it consists of white space'],
  [undefined, 'is missing'],
  [null, 'is missing'],
  [7, 'is not text, but a value of type number'],
  [[], 'is missing: the list is empty'],
  [['good', ''], 'number 2 is empty'],
  [['good', [SECRET]], 'number 2 is not text, but a list'],
  [`"${SECRET}"`, 'has quotes around it'],
  [` '${SECRET}'\n`, 'has quotes around it'],
  [`“${SECRET}”`, 'has quotes around it'],
  [`BNPL_WEBHOOK_SECRET=${SECRET}`, 'begins with the name of a variable and “=”'],
  [`export SECRET_A="${SECRET}"`, 'begins with the name of a variable and “=”'],
  [`Bearer ${SECRET}`, 'begins with “Bearer”'],
  ['undefined', 'is not a secret, but what a program writes in place of a missing one'],
  ['null', 'is not a secret, but what'],
  ['[object Object]', 'is not a secret, but what'],
  ['$' + '{BNPL_WEBHOOK_SECRET}', 'is not a secret, but what'],
  ['<your-secret>', 'is not a secret, but what'],
  [`whsec\u200b_0123456789`, 'contains an invisible character'],
  [`whsec_\ufffd0123456789`, 'contains an invisible character, or bytes that are not UTF-8'],
]

test.each(NO_SECRETS)('the secret %j is refused at once, with the reason and without the secret', (secret, says) => {
  for (const scheme of ['hmac', 'token'] as const)
    expect(() => receiver({ secret, scheme } as never)).toThrow(expect.any(TypeError))
  const [error] = [secret].map((given) => errorOf(() => receiver({ secret: given } as never)))
  expect(error).toMatchObject({ message: expect.stringMatching(/^the webhook secret .*secret: \(\) => process\.env/) })
  expect(String(error)).toContain(says)
  expect(String(error)).not.toContain(SECRET)
})

test.each(NO_SECRETS.filter(([secret]) => typeof secret === 'string'))(
  'the command line refuses the same secret, with the same reason: %j',
  async (secret, says) => {
    using m = machine()
    const file = join(m.dir, 'secret')
    writeFileSync(file, String(secret), { mode: 0o600 })
    const line = 'webhooks trigger loan_approved --to http://127.0.0.1:9/'
    for (const ran of [
      await m.run(`${line} --secret-file ${file}`),
      await m.run(line, { env: { BNPL_WEBHOOK_SECRET: String(secret) } }),
    ]) {
      expect([ran.code, ran.stderr.includes(SECRET)], ran.stderr).toEqual([3, false])
      if (String(secret).trim() !== '' && !says.includes('UTF-8')) expect(ran.stderr).toContain(says)
    }
  },
)

test.each(['\n', '\r\n', ' ', '\t\n', '\ufeff', '\u00a0'])(
  'the character %j at the ends of a secret is removed',
  async (more) => {
    for (const secret of [
      `${SECRET}${more}`,
      `${more}${SECRET}`,
      [`${more}${SECRET}${more}`],
      () => `${SECRET}${more}`,
    ])
      expect(await receiver({ secret }).handle(body())).toMatchObject({ status: 200 })
    const { webhooks } = receiver({ scheme: 'token', secret: `${more}${TOKEN}${more}` })
    expect(await webhooks.handle(body(), { 'service-webhook-secret': TOKEN })).toMatchObject({ status: 200 })
    const headers = signed(body())
    expect(await verifyRawBody(body(), headers, { secret: `${SECRET}${more}` })).toBeUndefined()
  },
)

test('a text of several lines has a secret in each line, as a secret file of the command line', async () => {
  const { handle } = receiver({ secret: `next-0123456789\n\n ${SECRET}\r\n` })
  for (const secret of ['next-0123456789', SECRET])
    expect(await handle(body(), signed(body(), secret))).toMatchObject({ status: 200 })
  expect(await handle(body(), signed(body(), 'other'))).toMatchObject({ status: 401 })
})

test.each(['onEvent', 'onError'])('creating a receiver without %s throws an error', (name) => {
  expect(() => receiver({ [name]: undefined })).toThrow(new TypeError(`${name} is missing. It must be a function`))
})

test('with an empty secret from a function, a delivery is answered 500 and onError gets the error', async () => {
  const { webhooks, errors } = receiver({ secret: () => '' })
  expect(await webhooks.handle(body(), { 'service-signature': 'x' })).toMatchObject({ status: 500 })
  expect(errors).toMatchObject([{ message: expect.stringContaining('the webhook secret is empty') }])
})

describe('the store in memory', () => {
  test('makes a simultaneous second delivery wait for the first, and run if the first fails', async () => {
    const store = memoryStore()
    const calls: string[] = []
    const failing = store.once('E1', async () => {
      calls.push('first')
      await turn()
      throw new Error('no')
    })
    const second = store.once('E1', async () => void calls.push('second'))
    const third = store.once('E1', async () => void calls.push('third'))
    await expect(failing).rejects.toThrow('no')
    expect([await second, await third].sort()).toEqual(['done', 'seen'])
    expect(calls).toEqual(['first', 'second'])
  })

  test('forgets the oldest events only', async () => {
    const store = memoryStore(2)
    for (const id of ['a', 'b', 'c']) await store.once(id, async () => {})
    expect(await store.once('c', async () => {})).toBe('seen')
    expect(await store.once('b', async () => {})).toBe('seen')
    expect(await store.once('a', async () => {})).toBe('done')
  })
})

test('the handler gets the transaction of its store', async () => {
  const store: EventStore<{ sql: string[] }> = {
    async once(eventId, work) {
      const transaction = { sql: [`insert ${eventId}`] }
      await work(transaction)
      expect(transaction.sql).toEqual(['insert E1', 'update order'])
      return 'done'
    },
  }
  const webhooks = createWebhooks({
    secret: SECRET,
    store,
    onEvent: (_, { sql }) => void sql.push('update order'),
    onError(error) {
      throw error
    },
  })
  expect(await webhooks.handle(body(), signed(body()))).toMatchObject({ status: 200 })
})

describe.each([
  ['a parsed body', { eventId: 'E1', data: {} }, 'an object'],
  ['text', body().toString(), 'text'],
  ['an ArrayBuffer', new Uint8Array(body()).buffer, 'an ArrayBuffer'],
  ['a DataView', new DataView(new Uint8Array(body()).buffer), 'a DataView'],
  ['a list of 16-bit numbers', new Uint16Array(8), 'a Uint16Array'],
  ['a Buffer that was sent as JSON', JSON.parse(JSON.stringify(body())), 'a Buffer that was written as JSON'],
  ['a list of bytes', [1, 2, 3], 'a list'],
  ['a Blob', new Blob([body()]), 'a Blob'],
  ['a number', 5, 'a number'],
])('%s instead of the raw bytes', (_, given, kind) => {
  const says = { name: 'TypeError', message: expect.stringMatching(new RegExp(`^the body is ${kind}, .* raw bytes`)) }
  const bytes = given as unknown as Uint8Array

  test('is refused by handle, verifyRawBody and readEvent with an error that names the kind of body', async () => {
    const { webhooks, errors, refusals } = receiver()
    for (const headers of [signed(body()), {}])
      expect(await webhooks.handle(bytes, headers)).toEqual({ status: 500, text: 'fault\n' })
    expect([errors, refusals]).toEqual([[expect.objectContaining(says), expect.objectContaining(says)], []])
    await expect(verifyRawBody(bytes, signed(body()), { secret: SECRET })).rejects.toMatchObject(says)
    expect(() => readEvent(bytes, 'hmac')).toThrow(expect.objectContaining(says))
  })

  test('is refused by fetch and fastify with an error that names the kind of body', async () => {
    const { webhooks, errors } = receiver()
    const request = new Request('http://shop.example/hook', { method: 'POST', headers: signed(body()) })
    Object.defineProperty(request, 'body', { value: given })
    expect((await webhooks.fetch(request)).status).toBe(500)
    expect(await inFastify(webhooks, given)).toBe(500)
    expect(errors).toEqual([expect.objectContaining(says), expect.objectContaining(says)])
  })
})

test.each([
  ['a request of node:http', new PassThrough(), 'a stream'],
  ['the body of a Request', new Blob([body()]).stream(), 'a stream'],
  ['nothing', undefined, 'missing'],
])('handle refuses %s with an error that names the kind of body', async (_, given, kind) => {
  const { webhooks, errors } = receiver()
  expect(await webhooks.handle(given as never, signed(body()))).toMatchObject({ status: 500 })
  expect(errors).toEqual([
    expect.objectContaining({ message: expect.stringMatching(`^the body is ${kind}, .* raw bytes`) }),
  ])
})

test('the bytes of another context of node:vm, such as those of a test runner, are raw bytes', async () => {
  const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: [...body()] })
  expect(foreign).not.toBeInstanceOf(Uint8Array)
  expect(await receiver().webhooks.handle(foreign, signed(body()))).toMatchObject({ status: 200 })
})

describe('an error of onError or onRefused', () => {
  const failures: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('the log is full')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('the log is full')
      },
    ],
  ]

  test.each(failures)('does not change the answer or end the process if onError %s', async (_, onError) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const unhandled = vi.fn()
    process.once('unhandledRejection', unhandled)
    try {
      const { handle } = receiver({ onError, onEvent: () => Promise.reject(new Error('the database is away')) })
      expect(await handle(body())).toMatchObject({ status: 500 })
      await turn()
      expect(printed.mock.calls).toEqual([[expect.stringContaining('onError failed'), new Error('the log is full')]])
      expect(unhandled).not.toHaveBeenCalled()
    } finally {
      process.off('unhandledRejection', unhandled)
      printed.mockRestore()
    }
  })

  test.each(failures)('is passed to onError if onRefused %s', async (_, onRefused) => {
    const { webhooks, errors } = receiver({ onRefused: onRefused as () => void })
    expect(await webhooks.handle(body(), {})).toMatchObject({ status: 401 })
    await turn()
    expect(errors).toEqual([new Error('the log is full')])
  })
})

test('the handlers of fetch and fastify take the raw bytes that a server has read', async () => {
  const { webhooks, errors } = receiver()
  const request = new Request('http://shop.example/hook', { method: 'POST', headers: signed(body()) })
  Object.defineProperty(request, 'body', { value: body() })
  expect((await webhooks.fetch(request)).status).toBe(200)
  expect(await inFastify(webhooks, body())).toBe(200)
  expect([await inFastify(webhooks, undefined), errors]).toEqual([401, []])
})

/** Mounts the plugin in a server like Fastify that has read this body. @returns the status of the answer */
async function inFastify({ fastify }: Webhooks, given: unknown): Promise<number> {
  let status = 0
  const reply = {
    code(code: number) {
      status = code
      return reply
    },
    type: () => reply,
    header: () => reply,
    send: () => {},
  }
  const mounted: Promise<unknown>[] = []
  const instance: Parameters<typeof fastify>[0] = {
    removeAllContentTypeParsers: () => {},
    addContentTypeParser: () => {},
    post: (_, handler) => mounted.push(handler({ body: given, headers: signed(body()) }, reply)),
  }
  await fastify(instance, { path: '/hook' })
  await Promise.all(mounted)
  return status
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Serves a handler on this machine. @returns its address */
async function serve(handler: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Serves a handler that takes a `Request`, in the same way as a framework. */
const serveFetch = ({ fetch }: Webhooks) =>
  serve(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method = 'GET', headers } = request
    const init = { method, headers: headers as Record<string, string>, body: Buffer.concat(parts) }
    const answer = await fetch(new Request('http://shop.example/hook', method === 'POST' ? init : { method }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })

describe.each([
  ['node:http', (webhooks: Webhooks) => serve(webhooks.node)],
  ['fetch', serveFetch],
])('a server with the handler of %s', (_, open) => {
  test.each([
    ['hmac', { BNPL_WEBHOOK_SECRET: SECRET }],
    ['token', { BNPL_WEBHOOK_SECRET: TOKEN }],
  ] as const)('passes the conformance test of a receiver: %s', async (scheme, env) => {
    const { webhooks, errors } = receiver({ scheme, secret: scheme === 'hmac' ? SECRET : TOKEN, store: memoryStore() })
    using m = machine()
    const ran = await m.run(`webhooks test ${await open(webhooks)} --scheme ${scheme} --json`, {
      env,
      transport: patient,
    })
    expect(JSON.parse(ran.stdout).filter(({ status }: { status: string }) => status === 'fail')).toEqual([])
    expect([ran.code, errors]).toEqual([0, []])
  })

  test('answers 405 to a method other than POST, and 413 to a body that is too large', async () => {
    const { webhooks, events, errors } = receiver({ mostBytes: 1000 })
    const url = await open(webhooks)
    expect((await fetch(url)).status).toBe(405)
    const large = body('E1', 'x'.repeat(100_000))
    const answer = await fetch(url, { method: 'POST', headers: signed(large), body: large })
    expect([answer.status, await answer.text()]).toEqual([413, 'too large\n'])
    expect([events, errors]).toEqual([[], []])
  })
})

test('a body in thousands of chunks of one byte is answered 400 by the handlers of node:http and Fastify', async () => {
  const { webhooks, events, errors } = receiver()
  const parsers: ((request: unknown, payload: NodeJS.ReadableStream) => Promise<unknown>)[] = []
  let parsed: unknown
  let answered: unknown
  const reply = {
    code: (status: number) => {
      answered = status
      return reply
    },
    type: () => reply,
    header: () => reply,
    send: () => {},
  }
  let route:
    | ((request: { body: unknown; headers: Record<string, string> }, reply: never) => Promise<unknown>)
    | undefined
  await webhooks.fastify(
    {
      removeAllContentTypeParsers: () => {},
      addContentTypeParser: (_, parser) => parsers.push(parser),
      post: (_, handler) => {
        route = handler as never
      },
    },
    { path: '/hook' },
  )
  const inFastify = await serve(async (request, response) => {
    parsed = await parsers[0]?.({}, request)
    await route?.({ body: parsed, headers: request.headers as Record<string, string> }, reply as never)
    response.writeHead(Number(answered)).end()
  })
  for (const url of [await serve(webhooks.node), inFastify]) {
    const { port, host } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /hook HTTP/1.1\r\nHost: ${host}\r\nservice-signature: ab\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(9000)}`,
    )
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
  }
  expect([events, errors]).toEqual([[], []])
})

test('the handler of node:http answers a request without a signature before its body arrives', async () => {
  const { webhooks, refusals } = receiver()
  const { port, host } = new URL(await serve(webhooks.node))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`POST /hook HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
  expect(refusals).toEqual([{ status: 401, reason: 'missing' }])
})

test.each([
  ['an unsigned', {}, 401],
  ['a signed', { 'service-signature': '00' }, 400],
])(
  'over HTTP/2, %s body in thousands of pieces of one byte is refused, and the next request is answered',
  async (_, headers, status) => {
    const { webhooks } = receiver()
    const server = createHttp2Server(webhooks.node as any).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const call = (more: object) => client.request({ ':method': 'POST', ':path': '/', ...more }, { endStream: false })
    const answerTo = async (stream: ClientHttp2Stream) => (await once(stream, 'response'))[0][':status']
    const cut = call(headers).on('error', () => {})
    const answered = answerTo(cut)
    const closed = once(cut.resume(), 'close')
    for (let i = 0; i < 4200 && !cut.destroyed; i++)
      await Promise.race([new Promise((resolve) => cut.write('x', resolve)), closed])
    expect(await answered).toBe(status)
    // An error of `setImmediate` would have ended the process by now.
    await turn()
    expect(await answerTo(call({}).end())).toBe(401)
  },
)

test('the handler of fetch answers a request without a signature before its body arrives, and cancels the body', async () => {
  const { webhooks, refusals } = receiver()
  const cancelled = Promise.withResolvers<void>()
  const silent = new ReadableStream({ cancel: () => cancelled.resolve() })
  const request = new Request('http://shop.example/hook', {
    method: 'POST',
    body: silent,
    duplex: 'half',
  } as RequestInit)
  expect((await webhooks.fetch(request)).status).toBe(401)
  await cancelled.promise
  expect(refusals).toEqual([{ status: 401, reason: 'missing' }])
})

test('the handler of fetch refuses a body in thousands of chunks of one byte, and does not read an unsigned one', async () => {
  const { webhooks } = receiver()
  let pulled = 0
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1))
      },
    })
  const asked = (headers: Record<string, string>) =>
    webhooks.fetch(
      new Request('http://shop.example/hook', {
        method: 'POST',
        headers,
        body: endless(),
        duplex: 'half',
      } as RequestInit),
    )
  expect((await asked(signed(body()))).status).toBe(400)
  pulled = 0
  expect((await asked({})).status).toBe(401)
  expect(pulled).toBeLessThan(10)
})

describe('the handler of node:http behind other handlers', () => {
  const parsed = (body: unknown) => ({ body })

  test.each([
    ['the raw bytes of express.raw()', { body: body() }, 200],
    ['the text of express.text()', { body: body().toString() }, 200],
    ['raw bytes beside a parsed body', { body: {}, rawBody: body() }, 200],
    ['raw bytes that are too many', { rawBody: Buffer.alloc(2 ** 20 + 1) }, 413],
  ])('gives the expected status for %s', async (_, found, status) => {
    const { webhooks } = receiver()
    const url = await serve((request, response) => webhooks.node(Object.assign(request, found), response))
    expect((await fetch(url, { method: 'POST', headers: signed(body()), body: body() })).status).toBe(status)
  })

  test('reports what to do if the body was parsed before', async () => {
    const { webhooks, errors } = receiver()
    const url = await serve(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      await webhooks.node(Object.assign(request, parsed(JSON.parse(Buffer.concat(parts).toString()))), response)
    })
    expect((await fetch(url, { method: 'POST', headers: signed(body()), body: body() })).status).toBe(500)
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/raw bytes are needed.* before express\.json\(\)/) },
    ])
  })

  test('reports that the raw bytes are needed if the body was decoded before', async () => {
    const { webhooks, errors } = receiver()
    const url = await serve((request, response) => webhooks.node(request.setEncoding('utf8'), response))
    expect((await fetch(url, { method: 'POST', headers: signed(body()), body: body() })).status).toBe(500)
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^the body is text, .* raw bytes/) }])
  })
})
