import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kit/harness.ts'
import { type Transport, WireFailure, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { Interrupted } from '../errors.ts'
import { createApiClient } from './client.ts'
import type { ApiClientOptions, AttemptReport } from './request.ts'

type Step = Partial<WireResponse> | WireFailure | Error

const json = (data: unknown, more: Partial<WireResponse> = {}): Partial<WireResponse> => ({
  body: Buffer.from(JSON.stringify({ data })),
  ...more,
})

/**
 * Returns a client whose service gives these answers, one after the other, and records of what the client did. Each answer takes `tookMs`.
 */
function clientOf(steps: readonly Step[], options: Partial<ApiClientOptions> = {}, tookMs = 0) {
  const clock = fakeClock()
  const sent: WireRequest[] = []
  const attempts: AttemptReport[] = []
  const waits: [ms: number, why: string][] = []
  const left = [...steps]
  const transport: Transport = async (request) => {
    sent.push(request)
    clock.advance(tookMs)
    const step = left.shift()
    if (step === undefined) throw new Error('nobody expected a request')
    if (step instanceof Error) throw step
    return { status: 200, headers: {}, body: new Uint8Array(), ...step }
  }
  const client = createApiClient({
    transport,
    baseUrl: 'https://api.example.com/v1/',
    apiKey: 'key-123456',
    clock,
    random: () => 0.5,
    timeoutMs: 10_000,
    onAttempt: (attempt) => attempts.push(attempt),
    onWait: (ms, why) => waits.push([ms, why]),
    ...options,
  })
  return { client, clock, sent, attempts, waits }
}

const all = { params: {}, body: {} }
const one = { params: { id: 'W1' }, body: {} }

test('a call sends the key and the accepted type, and returns the data with a description of the exchange', async () => {
  const { client, sent, attempts } = clientOf([json([], { headers: { 'x-request-id': 'r'.repeat(200) } })], {
    userAgent: 'bnpl/9',
  })
  const { exchange, ...answer } = await client.call('listWebhooks', all)
  expect(answer).toEqual({ data: [], status: 200, headers: { 'x-request-id': 'r'.repeat(200) } })
  expect(exchange()).toEqual({
    method: 'GET',
    url: 'https://api.example.com/v1/partner/webhook',
    status: 200,
    requestId: 'r'.repeat(128),
    attempts: 1,
    sent: true,
    outcome: 'rejected',
  })
  expect(sent).toEqual([
    {
      method: 'GET',
      url: 'https://api.example.com/v1/partner/webhook',
      headers: { accept: expect.any(String), 'user-agent': 'bnpl/9', authorization: 'Bearer key-123456' },
      timeoutMs: 10_000,
      maxBytes: 10 * 1024 * 1024,
      freshSocket: false,
    },
  ])
  expect(attempts).toEqual([{ method: 'GET', url: 'https://api.example.com/v1/partner/webhook', result: 200, ms: 0 }])
  await expect(client.raw({ method: 'GET', path: '/x' })).rejects.toThrow('nobody expected a request')
})

test.each(['x-request-id', 'x-amzn-requestid', 'request-id'])('the id of a request is read from %s', async (name) => {
  const { client } = clientOf([json([], { headers: { [name]: 'R1' } })])
  expect((await client.probe('listWebhooks', all)).exchange().requestId).toBe('R1')
})

test('a request is prepared as it would be sent, and a probe returns the unchecked data', async () => {
  const signal = new AbortController().signal
  const { client, sent } = clientOf([json({ odd: 1 })], { signal })
  const prepared = client.prepare('listWebhooks', all)
  expect(prepared).toMatchObject({ headers: { 'user-agent': 'bnpl' }, signal })
  expect(sent).toEqual([])
  expect(await client.probe('listWebhooks', all)).toEqual({
    known: false,
    data: { odd: 1 },
    odd: expect.stringContaining('data is not as specified'),
    failure: expect.objectContaining({ kind: 'service' }),
    exchange: expect.anything(),
  })
  await expect(clientOf([json({ odd: 1 })]).client.call('listWebhooks', all)).rejects.toMatchObject({
    kind: 'service',
    message: expect.stringMatching(/data is not as specified \(.+\)$/),
  })
})

test('an answer of an unusual shape is reported once, with secrets and personal data masked; a usual one is not', async () => {
  const row = { id: 'W1', url: 'https://s.example' }
  const ODD = 'the answer to “list webhook destinations” has a shape that the specification does not show: '
  const odd: string[] = []
  const onOddShape = (what: string) => void odd.push(what)
  const { client } = clientOf([json([row]), json({ 'x?token=canary': [row] })], { onOddShape })
  expect((await client.call('listWebhooks', all)).data).toEqual([row])
  expect(odd).toEqual([])
  expect((await client.call('listWebhooks', all)).data).toEqual([row])
  expect(odd).toEqual([expect.stringMatching(`^${ODD}the list was read from data\\.`)])
  expect(odd[0]).not.toContain('canary')
  const named = clientOf([json({ '12345678-5': [row], 'ana.canary@example.com': 1 })], { onOddShape })
  await named.client.call('listWebhooks', all)
  expect(odd[1]).toMatch(/read from data\./)
  expect(odd[1]).not.toMatch(/12345678|canary/)
  expect((await clientOf([json({ items: [row] })]).client.call('listWebhooks', all)).data).toEqual([row])
})

test('a probe says whether the data is known, and how its shape differs', async () => {
  const row = { id: 'W1', url: 'https://s.example' }
  const { client } = clientOf([json([row]), json({ items: [row], page: 1, more: 2 })])
  expect(await client.probe('listWebhooks', all)).toEqual({ known: true, data: [row], exchange: expect.anything() })
  expect(await client.probe('listWebhooks', all)).toEqual({
    known: true,
    data: [row],
    odd: expect.stringMatching(
      /: the list was read from data\.items; these fields next to the list were not read: data\.page, data\.more$/,
    ),
    exchange: expect.anything(),
  })
})

test('a list is checked element by element, and the first that is wrong is named', async () => {
  const { client } = clientOf([json([{ id: 'W1', url: 7 }])])
  await expect(client.call('listWebhooks', all)).rejects.toMatchObject({
    message: expect.stringMatching(/: data\.0\.\w+ is not as specified/),
    advice: { id: 'see-raw-answer', method: 'GET', path: '/partner/webhook' },
  })
})

test('without a key or with an invalid value nothing is sent, and the error says why', async () => {
  await expect(clientOf([], { apiKey: undefined }).client.call('listWebhooks', all)).rejects.toMatchObject({
    kind: 'config',
    message: 'no API key is set for this call',
    hint: 'Set the API key.',
    advice: { id: 'set-key' },
  })
  const { client, sent } = clientOf([])
  const body = { amount: -1, entityId: 'E', externalTrxId: 'T', idNumber: '1-9' } as never
  await expect(client.call('evaluate', { params: {}, body })).rejects.toMatchObject({
    kind: 'usage',
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(/^amount cannot be sent: it /),
  })
  expect(sent).toEqual([])
})

const paths = (path?: string) => clientOf([json({})], path === undefined ? {} : { paths: { 'paths.lead': path } })
const lead = { params: { leadId: 'L1' }, body: {} }

test('a path that the specification does not show is read from the profile, and must begin with a slash', async () => {
  const { client, sent } = paths('/leads/{leadId}')
  await client.probe('getLead', lead)
  expect(sent[0]?.url).toBe('https://api.example.com/v1/leads/L1')
  await expect(paths().client.call('getLead', lead)).rejects.toMatchObject({
    kind: 'config',
    code: 'PATH_NOT_SET',
    message: expect.stringMatching(/^the path to .+ is not published, and paths\.lead is not set$/),
    hint: expect.stringMatching(/^Set paths\.lead to the path that the support of the service gives you, such as \//),
    advice: { id: 'set-path', setting: 'paths.lead' },
  })
  for (const path of ['@evil.example/', 'leads/', ''])
    await expect(paths(path).client.call('getLead', lead)).rejects.toMatchObject({
      kind: 'config',
      code: 'BAD_PATH',
      message: expect.stringContaining('must begin with /'),
      advice: { id: 'correct-path', setting: 'paths.lead' },
    })
})

test('beforeSend is awaited, and an error of beforeSend ends the call with nothing sent', async () => {
  const asked: string[] = []
  const beforeSend = async (_: unknown, { url }: WireRequest) => {
    asked.push(url)
    throw new Error('not agreed')
  }
  const { client, sent } = clientOf([], { beforeSend })
  await expect(client.call('listWebhooks', all)).rejects.toThrow('not agreed')
  expect([asked, sent]).toEqual([['https://api.example.com/v1/partner/webhook'], []])
})

test('a read is repeated after a temporary failure, and the reason of each wait is reported', async () => {
  const { client, clock, attempts, waits } = clientOf([
    { status: 503 },
    new WireFailure('reset', true, 'EPIPE'),
    json([]),
  ])
  expect((await client.call('listWebhooks', all)).exchange().attempts).toBe(3)
  expect(attempts.map(({ result }) => result)).toEqual([503, 'reset', 200])
  expect(waits).toEqual([
    [250, '503'],
    [500, 'the connection was cut off'],
  ])
  expect(clock.slept).toEqual([250, 500])
})

test('a repeated attempt uses a new connection, because the server may have closed all kept ones', async () => {
  const { client, sent } = clientOf([new WireFailure('reset', true, 'EPIPE'), { status: 503 }, json([])])
  await client.call('listWebhooks', all)
  expect(sent.map(({ freshSocket }) => freshSocket)).toEqual([false, true, true])
})

test('a rate limit may have its own number of attempts', async () => {
  const retry = { attempts: 2, limitedAttempts: 4, baseMs: 1, capMs: 1, maxWaitMs: 1 }
  const limited = { status: 429 }
  const { client } = clientOf([limited, limited, limited, json([])], { retry })
  expect((await client.call('listWebhooks', all)).exchange().attempts).toBe(4)
})

test('a client without onAttempt and onWait works', async () => {
  const steps = [{ status: 503 }, new WireFailure('reset', true, 'EPIPE'), json([])]
  const { client } = clientOf(steps, { onAttempt: undefined, onWait: undefined } as never)
  expect((await client.call('listWebhooks', all)).data).toEqual([])
})

test('all attempts share the time of the call, and waits are not counted', async () => {
  const { client, sent } = clientOf([{ status: 503 }, { status: 503 }, json([])], {}, 4_000)
  await client.call('listWebhooks', all)
  expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 6_000, 2_000])
  for (const step of [{ status: 503 }, new WireFailure('reset', true, 'EPIPE')]) {
    const late = clientOf([step], {}, 10_000)
    await expect(late.client.call('listWebhooks', all)).rejects.toMatchObject({ exchange: { attempts: 1 } })
  }
})

test('a rate limit pauses all calls that share the pace, and each attempt waits for its turn', async () => {
  const paused: number[] = []
  let turns = 0
  const pacing = { ready: async () => void turns++, pause: (ms: number) => void paused.push(ms) }
  const { client, clock } = clientOf([{ status: 429, headers: { 'retry-after': '7' } }, { status: 503 }, json([])], {
    pacing,
  })
  await client.call('listWebhooks', all)
  expect([paused, clock.slept, turns]).toEqual([[7_000], [500], 3])
  const refused = { ready: () => Promise.reject(new Error('over')), pause: () => {} }
  await expect(clientOf([], { pacing: refused }).client.call('listWebhooks', all)).rejects.toThrow('over')
})

test('an object that is missing after an unclear attempt to delete the object counts as deleted', async () => {
  for (const unclear of [{ status: 500 }, { status: 503 }, new WireFailure('reset', true, 'EPIPE')]) {
    const { client } = clientOf([unclear, { status: 404 }])
    const { status, exchange } = await client.call('deleteWebhook', one)
    expect({ status, exchange: exchange() }).toMatchObject({ status: 200, exchange: { status: 404, attempts: 2 } })
  }
  const other = clientOf([{ status: 503 }, { status: 400 }])
  await expect(other.client.call('deleteWebhook', one)).rejects.toMatchObject({ exchange: { status: 400 } })
  for (const clear of [[], [new WireFailure('refused', false, 'ECONNREFUSED')], [{ status: 429 }]]) {
    const { client } = clientOf([...clear, { status: 404 }])
    await expect(client.call('deleteWebhook', one)).rejects.toMatchObject({ kind: 'not-found' })
  }
  const read = clientOf([{ status: 503 }, { status: 404 }])
  await expect(read.client.call('listWebhooks', all)).rejects.toMatchObject({ kind: 'not-found' })
})

test('statuses from 200 to 299 are a success, those around them are not', async () => {
  for (const status of [200, 201, 299])
    expect((await clientOf([json([], { status })]).client.call('listWebhooks', all)).status).toBe(status)
  for (const status of [199, 300, 302])
    await expect(clientOf([json([], { status })]).client.call('listWebhooks', all)).rejects.toMatchObject({
      kind: 'service',
    })
})

test('if the specification shows no body, an answer with any body is a success', async () => {
  for (const [step, data] of [
    [{}, {}],
    [{ body: Buffer.from('no JSON') }, {}],
    [{ body: Buffer.from('[1]') }, {}],
    [{ body: Buffer.from('{"a":1}') }, { a: 1 }],
    [json({ b: 2 }), { b: 2 }],
    [json([3]), { data: [3] }],
  ] as const)
    expect((await clientOf([step]).client.call('deleteWebhook', one)).data).toEqual(data)
  for (const body of ['', 'no JSON', '[]', '{"a":1}'])
    await expect(clientOf([{ body: Buffer.from(body) }]).client.call('listWebhooks', all)).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
    })
})

test('a signal ends the call with the signal’s reason, and a fault in bnpl is not reported as a network error', async () => {
  const stop = new AbortController()
  stop.abort(new Interrupted())
  const aborted = new WireFailure('aborted', true, 'interrupted')
  const { client, attempts } = clientOf([aborted], { signal: stop.signal })
  await expect(client.call('listWebhooks', all)).rejects.toBe(stop.signal.reason)
  expect(attempts.map(({ result }) => result)).toEqual(['aborted'])
  await expect(clientOf([aborted]).client.call('listWebhooks', all)).rejects.toMatchObject({ code: 'ABORTED' })
  const bug = new TypeError('ours')
  await expect(clientOf([bug]).client.call('listWebhooks', all)).rejects.toBe(bug)
})
