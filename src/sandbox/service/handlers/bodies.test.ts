import { expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../../test/kit/sandbox-kit.ts'
import { FORM_TYPE } from '../../../contract/form.ts'
import { INTEGRATIONS } from '../../../contract/integrations.ts'

const EVALUATE = '/partner/pre-loan-request/bnpl'
const REGISTER = '/partner/webhook'
const SUBSCRIBE = '/partner/webhook/subscription'
const url = 'https://shop.example/hook'
const BOTH = INTEGRATIONS['real-estate'].events

type Kit = Awaited<ReturnType<typeof sandboxKit>>

/** Sends exactly these bytes as a body. */
async function sendText(
  kit: Kit,
  path: string,
  text: string | undefined,
  contentType: string | undefined,
  key: string,
) {
  const answer = await kit.sandbox.transport({
    method: 'POST',
    url: `${BASE}${path}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(text === undefined ? {} : { body: Buffer.from(text) }),
    timeoutMs: 5_000,
    maxBytes: 1e6,
  })
  return { status: answer.status, body: JSON.parse(new TextDecoder().decode(answer.body)) }
}

const form = (...pairs: [string, string][]) => new URLSearchParams([['url', url], ...pairs]).toString()

test.each([
  [
    'URLSearchParams, Python requests, hey-api, swagger-typescript-api',
    form(['eventTypes', 'new_lead'], ['eventTypes', 'pre_approve']),
  ],
  ['Rails, curl', form(['eventTypes[]', 'new_lead'], ['eventTypes[]', 'pre_approve'])],
  ['PHP', form(['eventTypes[0]', 'new_lead'], ['eventTypes[1]', 'pre_approve'])],
  ['openapi-fetch', form(['eventTypes', 'new_lead,pre_approve'])],
  ['JSON in a field', form(['eventTypes', JSON.stringify(BOTH)])],
  ['a list and an index', form(['eventTypes[]', 'new_lead'], ['eventTypes[1]', 'pre_approve'])],
  ['ASP.NET', form(['eventTypes.0', 'new_lead'], ['eventTypes.1', 'pre_approve'])],
  ['two spellings at once', form(['eventTypes', 'new_lead'], ['eventTypes[]', 'pre_approve'])],
])('a form subscribes to both events, in the encoding of %s [specification F2]', async (_program, text) => {
  await using kit = await sandboxKit()
  const created = await sendText(kit, SUBSCRIBE, text, FORM_TYPE, kit.estate.apiKey)
  expect([created.status, created.body.data?.eventTypes]).toEqual([201, BOTH])
})

test.each([BOTH, 'new_lead,pre_approve', { 0: 'new_lead', 1: 'pre_approve' }])(
  'JSON subscribes to both events with %j [specification F2]',
  async (eventTypes) => {
    await using kit = await sandboxKit()
    const created = await kit.send('POST', SUBSCRIBE, { key: kit.estate.apiKey, json: { url, eventTypes } })
    expect([created.status, created.data?.eventTypes]).toEqual([201, BOTH])
  },
)

test.each([
  ['filters[outcome]=approved', { outcome: 'approved' }],
  ['filters[outcome][]=approved', { outcome: 'approved' }],
  ['filters.outcome=approved', { outcome: 'approved' }],
  [`filters=${encodeURIComponent('{"outcome":"approved"}')}`, { outcome: 'approved' }],
  ['filters=', null],
  ['filters=[]', null],
])('the form field %s is read as the filter %j [specification F2]', async (text, filters) => {
  await using kit = await sandboxKit()
  const sent = `${form(['eventTypes', 'pre_approve'])}&${text}`
  const created = await sendText(kit, SUBSCRIBE, sent, FORM_TYPE, kit.estate.apiKey)
  expect([created.status, created.body.data?.filters]).toEqual([201, filters])
})

test.each([
  ['filters[a][b]=c', 422, 'the only filter is “outcome”'],
  ['filters[0][field]=outcome', 422, 'the only filter is “outcome”'],
  ['filters[outcome]=approved&filters[outcome]=rejected', 422, 'the only filter is “outcome”'],
  // Python's requests and a plain template literal write a record like this, and lose its values.
  ['filters=outcome', 400, 'send it as filters[key]=value'],
  ['filters=%5Bobject+Object%5D', 400, 'send it as filters[key]=value'],
  ['projectId=p1&projectId=p2', 400, 'projectId was sent 2 times'],
  ['projectId[]=p1', 400, 'projectId must not be a list'],
  ['url=https%3A%2F%2Fother.example', 400, 'url was sent 2 times'],
  ['project.id=p1', 400, 'unknown field: project.id'],
])('a subscription with %s is refused with %i: %s [specification F2]', async (text, status, message) => {
  await using kit = await sandboxKit()
  const sent = `${form(['eventTypes', 'pre_approve'])}&${text}`
  const refused = await sendText(kit, SUBSCRIBE, sent, FORM_TYPE, kit.estate.apiKey)
  expect([refused.status, refused.body.error.message]).toEqual([status, expect.stringContaining(message)])
})

test('an amount that is sent twice is refused, in a form and in JSON [specification F2]', async () => {
  await using kit = await sandboxKit()
  const { entityId, apiKey } = kit.bnpl
  const fields = { idNumber: '11222333-9', entityId, externalTrxId: 'T1' }
  const evaluate = (text: string, type: string) => sendText(kit, EVALUATE, text, type, apiKey)
  for (const again of ['amount=250000&amount=1', 'amount=250000&amount=250000']) {
    expect(await evaluate(`${new URLSearchParams(fields)}&${again}`, FORM_TYPE)).toMatchObject({
      status: 400,
      body: { error: { code: 'ERR_INVALID_REQUEST', message: 'amount was sent 2 times; send it only once' } },
    })
  }
  const json = `${JSON.stringify({ ...fields, amount: 250_000 }).slice(0, -1)},"amount":1}`
  expect(await evaluate(json, 'application/json')).toMatchObject({
    status: 400,
    body: { error: { message: 'amount was sent more than once; send it only once' } },
  })
  expect(kit.store.db.all<any>('select * from preApprovals')).toEqual([])
})

test('a form with half a million fields of one name is answered without delay', async () => {
  await using kit = await sandboxKit()
  const refused = await sendText(kit, EVALUATE, 'a&'.repeat(500_000), FORM_TYPE, kit.bnpl.apiKey)
  expect(refused.body.error.message).toContain('a was sent 500000 times')
})

test.each([
  ['no body', undefined, undefined],
  ['an empty form', '', FORM_TYPE],
  ['an empty body of a type of its own', '', 'text/plain;charset=UTF-8'],
  ['JSON', '{}', 'application/json'],
  ['curl -d {}', '{}', FORM_TYPE],
  ['fetch with a text', '{}', 'text/plain;charset=UTF-8'],
  ['JSON over two lines', '{\n}\n', 'application/json; charset=utf-8'],
  ['bytes', '{}', 'application/octet-stream'],
  ['URLSearchParams of {}', '%7B%7D=', FORM_TYPE],
  ['json_encode([]) of PHP', '[]', 'application/json'],
  ['a nil map of Go', 'null', 'application/json'],
  ['FormData without fields', '------formdata-undici-012345678901--\r\n', 'multipart/form-data; boundary=x'],
])('a body counts as an empty object: %s [specification F3]', async (_program, text, contentType) => {
  await using kit = await sandboxKit()
  await kit.evaluate('T1')
  await kit.control('pay', { externalTrxId: 'T1' })
  const verified = await sendText(kit, '/partner/pre-approve/T1/loan', text, contentType, kit.bnpl.apiKey)
  expect(verified).toMatchObject({ status: 200, body: { data: { externalTrxId: 'T1' } } })
})

test.each([
  ['a list', '[1]', 'application/json', 400],
  [
    'a part',
    '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    'multipart/form-data; boundary=x',
    415,
  ],
])('%s does not count as an empty object and is refused', async (_, text, contentType, status) => {
  await using kit = await sandboxKit()
  const refused = await sendText(kit, '/partner/pre-approve/T1/loan', text, contentType, kit.bnpl.apiKey)
  expect(refused.status).toBe(status)
})

test('JSON that is sent with the Content-Type of a form is refused, and the error names the header', async () => {
  await using kit = await sandboxKit()
  const refused = await sendText(kit, EVALUATE, '{"idNumber":"11222333-9"}', FORM_TYPE, kit.bnpl.apiKey)
  expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('Content-Type') } } })
  expect(JSON.stringify(refused.body)).not.toContain('11222333')
})

test.each([
  'eventTypes=new_lead&eventTypes=pre_approve',
  'eventTypes[]=new_lead',
  'eventTypes[0]=new_lead',
  'eventTypes[a]=new_lead',
  'eventTypes=',
  'filters[a][b]=c',
  'filters[outcome][]=approved',
  'filters[0][field]=outcome',
  'filters=a&filters[b]=c',
  'filters[][]=',
  'filters.outcome=approved',
  'filters.a.b=c',
])('a BNPL registration ignores %s [specification F6]', async (text) => {
  await using kit = await sandboxKit()
  const created = await sendText(kit, REGISTER, `${form()}&${text}`, FORM_TYPE, kit.bnpl.apiKey)
  expect([created.status, created.body.data?.eventTypes]).toEqual([201, INTEGRATIONS.bnpl.events])
})

test('a BNPL registration in JSON ignores eventTypes, and filters that are sent twice [specification F6]', async () => {
  await using kit = await sandboxKit()
  const json = `{"url":"${url}","filters":{"a":{"b":[null]}},"filters":1,"eventTypes":null}`
  expect((await sendText(kit, REGISTER, json, 'application/json', kit.bnpl.apiKey)).status).toBe(201)
})

test('an amount with separators is refused with an explanation, and amounts in error messages have no separators [specification F24]', async () => {
  await using kit = await sandboxKit()
  const { entityId } = kit.bnpl
  const evaluate = (amount: string) =>
    kit.send('POST', EVALUATE, { form: { idNumber: '11222333-9', amount, entityId, externalTrxId: 'T1' } })
  const malformed = (await evaluate('250.000')).body.error.message
  expect(malformed).toBe('amount is not as expected: it must be a whole number, digits only, such as 250000')
  expect((await evaluate('1')).body.error.message).toBe('amount must be between 1000 and 50000000')
  await kit.evaluate('T1')
  expect((await kit.startWidget('T1', 1_000)).body.error.message).toBe(
    'amount must be 250000, the amount for which the transaction was evaluated',
  )
})

test('a national id with dots is refused by the evaluation and by the read of an evaluation [specification F25]', async () => {
  await using kit = await sandboxKit()
  const refusal = { status: 422, code: 'ERR_INVALID_ID_NUMBER' }
  expect(await kit.evaluate('T1', { rut: '10.000.013-K' })).toMatchObject(refusal)
  expect((await kit.evaluate('T1', { rut: '10000013-k' })).status).toBe(200)
  const read = (rut: string) => kit.send('GET', `/partner/pre-approve/rut/${rut}`)
  expect(await read('10.000.013-K')).toMatchObject(refusal)
  for (const rut of ['10000013-K', '10000013-k']) expect((await read(rut)).status).toBe(200)
})
