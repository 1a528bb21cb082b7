import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../../test/sandbox-kit.ts'
import type { EndpointName } from '../../../contract/endpoints.ts'
import type { CallManner, DeliveryManner, Manner } from '../../../contract/manner.ts'
import { VIEWS } from '../../window/views/views.ts'
import { inMannerOf } from './answer.ts'
import { deliveryInMannerOf } from './delivery.ts'
import { inFieldsOf } from './fields.ts'
import { latencyOf } from './following.ts'

const LEARNT = { from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T12:00:00.000Z', exchanges: 1, deliveries: 1 }

const like = (calls: Partial<Record<EndpointName, Omit<CallManner, 'seen'>>>, deliveries?: DeliveryManner) => {
  const seen = Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, { seen: 1, ...call }]))
  const manner: Manner = { learnt: LEARNT, calls: seen, ...(deliveries && { deliveries }) }
  return { manner, answers: [], fidelity: [] }
}

const json = (value: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(value)),
})

const read = ({ body }: { body: Uint8Array }): unknown => JSON.parse(new TextDecoder().decode(body))

/** Returns the answer of a sandbox that imitates this service. */
async function asked(
  kit: Awaited<ReturnType<typeof sandboxKit>>,
  method: string,
  path: string,
  { body, key = kit.bnpl.apiKey }: { body?: string; key?: string } = {},
) {
  const form = 'application/x-www-form-urlencoded'
  const answer = await kit.sandbox.transport({
    method,
    url: `${BASE}${path}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': form },
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
    timeoutMs: 30_000,
    maxBytes: 1e6,
  })
  const text = new TextDecoder().decode(answer.body)
  return { ...answer, text }
}

test('a recording from which nothing was learnt does not change the bytes of an answer or a delivery', () => {
  const anything = fc.record({ data: fc.jsonValue(), more: fc.jsonValue() })
  fc.assert(
    fc.property(anything, fc.constantFrom(200, 201, 302, 400, 404, 500), (value, status) => {
      const own = json(value, status)
      for (const call of [
        { seen: 1 },
        { seen: 1, success: {} },
        { seen: 1, success: { names: {}, more: {} }, refusals: {} },
      ])
        expect(inMannerOf(call, own).body).toBe(own.body)
      expect(deliveryInMannerOf({ contentType: 'text/plain' }, 'loan_approved', own.body)).toBe(own.body)
    }),
  )
})

test('fields are renamed and added only at their own places, and every other field keeps its value', () => {
  const keys = fc.constantFrom('a', 'b', 'c')
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.string(),
      fc.array(tie('value')),
      fc.dictionary(keys, tie('value')),
    ),
  })).value
  fc.assert(
    fc.property(tree, (value) => {
      const there = inFieldsOf({ names: { 'data.a': 'x', 'data.*.b': 'y' } }, { data: value })
      const back = inFieldsOf({ names: { 'data.x': 'a', 'data.*.y': 'b' } }, there)
      expect(back).toEqual({ data: value })
      expect(inFieldsOf({ more: { 'other.z': 1 }, fewer: ['other'] }, { data: value })).toEqual({
        data: value,
        other: { z: 1 },
      })
    }),
  )
})

test('a success has the status, envelope, list, names, types and words of the service', async () => {
  const rows = { data: [{ id: 'A', url: 'u', state: 'ACTIVE', n: 1, gone: 0, tags: 'x' }] }
  const manner = {
    seen: 1,
    success: {
      status: 202,
      contentType: 'application/vnd.api+json',
      data: ['response', '0'],
      list: { at: ['page', 'items'], beside: { total: 9, page: 1 } },
      names: { 'data.*.url': 'address', meta: 'about' },
      types: { 'data.*.n': 'text', 'data.*.tags': 'list' },
      words: { 'data.*.state': { ACTIVE: 'VIGENTE' } },
      more: { 'data.*.extra.deep': true, took: 3 },
      fewer: ['data.*.gone'],
    },
  } as const satisfies CallManner
  const answer = inMannerOf(manner, json(rows))
  expect(answer).toMatchObject({ status: 202, headers: { 'content-type': 'application/vnd.api+json' } })
  const row = { id: 'A', address: 'u', state: 'VIGENTE', n: '1', tags: ['x'], extra: { deep: true } }
  expect(read(answer)).toEqual({ response: [{ page: { items: [row], total: 1, page: 1 } }], took: 3 })
  expect(read(inMannerOf({ seen: 1, success: { data: [] } }, json({ data: { a: 1 } })))).toEqual({ a: 1 })
  const empty = inMannerOf({ seen: 1, success: { status: 204 } }, json(rows))
  expect([empty.status, empty.body.length, empty.headers['content-type']]).toEqual([204, 0, undefined])
  const half = { ...json(rows), body: Buffer.from('{"data":[') }
  expect(inMannerOf(manner, half).body).toBe(half.body)
})

test('a refusal gets the learnt status, code, body and Retry-After; a refusal that was not learnt is unchanged', () => {
  const body = { errors: [{ code: '$code', detail: 'E: $message' }] }
  const refusals = {
    '404 ERR_A': { status: 409, body, code: 'NOT_YET', retryAfter: '7', contentType: 'application/problem+json' },
    '404 ERR_B': { status: 200, body: { data: null } },
    '404 ERR_C': { status: 400 },
    '404 ERR_D': { status: 404, body: 'no: $code', contentType: 'text/plain' },
  }
  const refused = (code: string) => inMannerOf({ seen: 1, refusals }, json({ error: { code, message: 'none' } }, 404))
  expect(refused('ERR_A')).toMatchObject({
    status: 409,
    headers: { 'retry-after': '7', 'content-type': 'application/problem+json' },
  })
  expect(read(refused('ERR_A'))).toEqual({ errors: [{ code: 'NOT_YET', detail: 'E: none' }] })
  expect([refused('ERR_B').status, read(refused('ERR_B'))]).toEqual([200, { data: null }])
  expect([refused('ERR_C').status, refused('ERR_C').body.length]).toEqual([400, 0])
  expect(new TextDecoder().decode(refused('ERR_D').body)).toBe('no: ERR_D')
  expect(refused('ERR_E').status).toBe(404)
})

test('half of the calls take the middle latency, and no call takes longer than the longest latency', () => {
  const ms = { middle: 40, longest: 400 }
  expect([0, 0.5, 0.75, 1].map((chance) => latencyOf({ ms }, chance))).toEqual([40, 40, 63, 400])
  expect(latencyOf({}, 1)).toBe(0)
})

test('a sandbox answers at the learnt paths, sends numeric ids, and accepts these ids in later calls', async () => {
  await using kit = await sandboxKit({
    like: like({
      getLead: { path: '/partner/prospects/{leadId}', success: { data: [] } },
      listLeads: {
        path: '/partner/prospects',
        success: { types: { 'data.*.leadId': 'number' }, names: { 'data.*.leadId': 'id' }, ms: undefined } as object,
        ms: { middle: 25, longest: 25 },
      },
    }),
  })
  await kit.control('lead', { now: true, rut: '12345678-5' })
  const key = kit.estate.apiKey
  const before = kit.clock.now()
  const list = await asked(kit, 'GET', '/partner/prospects', { key })
  expect(kit.clock.now() - before).toBe(25)
  const [{ id }] = JSON.parse(list.text).data
  expect(id).toSatisfy(Number.isSafeInteger)
  const lead = await asked(kit, 'GET', `/partner/prospects/${id}`, { key })
  expect(JSON.parse(lead.text)).toMatchObject({ rut: '12345678-5' })
  expect((await asked(kit, 'GET', '/partner/leads', { key })).status).toBe(404)
})

test('learnt behaviour does not change the window, the control calls or the calls that were not learnt', async () => {
  await using kit = await sandboxKit({ like: like({ listWebhooks: { success: { data: ['rows'] } } }) })
  expect((await asked(kit, 'GET', '/partner/webhook')).text).toBe('{"rows":[]}')
  const { entrance } = kit.sandbox.service
  const key = entrance.enter(entrance.link().split('ticket=')[1] ?? '') ?? ''
  const plain = await kit.send('GET', '/partner/webhook', { headers: { 'x-window-key': key } })
  expect(plain.body).toEqual({ data: [] })
  expect((await asked(kit, 'GET', '/partner/nothing')).text).toContain('{"error":{"code":"ERR_NOT_FOUND"')
  expect((await kit.control('status')).data).toMatchObject({ webhooks: 0, like: { learnt: LEARNT } })
  expect((await VIEWS.controls({}, kit.sandbox.service)).like).toMatchObject({ learnt: LEARNT, answers: [] })
})

test('the learnt behaviour of a sandbox survives a restart, a reset and a loaded snapshot, until deleted', async () => {
  await using kit = await sandboxKit({ like: like({ listWebhooks: { success: { data: ['rows'] } } }) })
  const file = `${kit.dir}/before.db`
  await kit.control('snapshotSave', { file })
  await using plain = await sandboxKit()
  await plain.control('snapshotLoad', { file })
  await using again = await sandboxKit({ place: plain.place })
  expect((await again.send('GET', '/partner/webhook')).body).toEqual({ data: [] })
  await kit.control('reset')
  await kit.control('snapshotLoad', { file })
  await using restarted = await sandboxKit({ place: kit.place })
  expect((await asked(restarted, 'GET', '/partner/webhook')).text).toBe('{"rows":[]}')
  await using forgotten = await sandboxKit({ place: kit.place, like: null })
  expect((await forgotten.send('GET', '/partner/webhook')).body).toEqual({ data: [] })
})

test('a delivery has the header, algorithm, encoding, names and waits of the service', async () => {
  const got: { headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ headers: request.headers, body })
      response.writeHead(got.length < 3 ? 500 : 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const deliveries: DeliveryManner = {
    contentType: 'application/vnd.event+json',
    signature: { header: 'x-signature', algorithm: 'sha512', encoding: 'base64', prefix: 'v1=' },
    names: { eventId: 'id', data: 'payload' },
    types: { eventId: 'number' },
    more: { type: 'loan_approved' },
    events: { loan_approved: { names: { 'data.loanAmount': 'monto' }, fewer: ['data.state'] } },
    retriesMs: [7_000, 70_000],
    timeoutMs: 20_000,
  }
  await using kit = await sandboxKit({ allowHttp: true, like: like({}, deliveries) })
  try {
    const made = await kit.send('POST', '/partner/webhook', { form: { url } })
    await kit.evaluate('T1')
    await kit.control('pay', { externalTrxId: 'T1' })
    await kit.sandbox.deliverer.idle(5_000)
    for (const wait of [7_000, 70_000]) {
      const [delivery] = (await kit.control('deliveries')).data
      expect(Date.parse(delivery.nextAttemptAt) - kit.clock.now()).toBe(wait)
      kit.clock.advance(wait)
      await kit.sandbox.tick()
      await kit.sandbox.deliverer.idle(5_000)
    }
    const [first, second, third, ...more] = got
    expect([first?.body, second?.body, more]).toEqual([third?.body, third?.body, []])
    const { headers, body } = third ?? { headers: {}, body: '' }
    const signature = createHmac('sha512', made.data.secret).update(body).digest('base64')
    expect(headers).toMatchObject({ 'x-signature': `v1=${signature}`, 'content-type': 'application/vnd.event+json' })
    expect(headers).not.toHaveProperty('service-signature')
    expect(JSON.parse(body)).toMatchObject({
      id: expect.any(Number),
      type: 'loan_approved',
      payload: { monto: 250_000 },
    })
    expect(JSON.parse(body).payload).not.toHaveProperty('state')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a delivery waits for an answer only as long as the service does', async () => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  await using kit = await sandboxKit({ allowHttp: true, like: like({}, { timeoutMs: 60, retriesMs: [9000] }) })
  try {
    await kit.send('POST', '/partner/webhook', { form: { url } })
    await kit.evaluate('T1')
    await kit.control('pay', { externalTrxId: 'T1' })
    await kit.sandbox.deliverer.idle(4000)
    const [delivery] = (await kit.control('deliveries')).data
    expect(JSON.stringify(delivery)).toContain('no answer within 60 ms')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
