import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FieldName } from '../../src/contract/description.ts'
import { readDescriptionFile } from '../../src/contract/description-file.ts'
import { serviceCalled } from '../../src/contract/services.ts'
import { webhookViews } from '../../src/window/views/views.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { type Reply, sandboxKit } from '../kit/sandbox-kit.ts'
import { whileServed } from '../kit/served.ts'

type Fields = Readonly<Partial<Record<FieldName, string>>>

const textOf = (fields: Fields) =>
  JSON.stringify({
    kind: 'bnpl service description',
    version: 1,
    fields: Object.fromEntries(Object.entries(fields).map(([name, answer]) => [name, { answer }])),
  })

const describe = (m: Machine, fields: Fields) => writeFileSync(join(m.dir, 'service.json'), textOf(fields))

const kitOf = (fields: Fields) => {
  const read = readDescriptionFile(textOf(fields), '/d/service.json')
  if (!read.ok) throw new Error(read.reason)
  return sandboxKit({ description: read.description, allowHttp: true })
}

type Kit = Awaited<ReturnType<typeof sandboxKit>>

const evaluate = (kit: Kit, more = {}) =>
  kit.send('POST', '/partner/pre-loan-request/bnpl', {
    form: { idNumber: '12345678-5', amount: '250000', entityId: kit.bnpl.entityId, externalTrxId: 'T1', ...more },
  })
const start = (kit: Kit) =>
  kit.send('POST', '/partner/widget/start', {
    form: { email: 'a@example.com', amount: '250000', entityId: kit.bnpl.entityId, externalTrxId: 'T1' },
  })
const verify = (kit: Kit, key?: null) =>
  kit.send('POST', '/partner/pre-approve/T1/loan', { form: {}, ...(key === null && { key }) })

async function paid(kit: Kit) {
  await evaluate(kit)
  await kit.control('pay', { externalTrxId: 'T1' })
  return verify(kit)
}

test.each<[what: string, fields: Fields, seen: (kit: Kit) => Promise<unknown>, expected: unknown]>([
  [
    'the name of the pre-approval id',
    { preApproveIdField: 'folio' },
    async (kit) => Object.keys((await evaluate(kit)).data),
    ['folio', 'installmentOptions'],
  ],
  [
    'the numbers of installments',
    { installmentOptions: '2,4' },
    async (kit) => (await evaluate(kit)).data.installmentOptions.map((each: any) => each.installments),
    [2, 4],
  ],
  ['the amounts', { amounts: '1-10' }, async (kit) => (await evaluate(kit)).code, 'ERR_AMOUNT_OUT_OF_BOUNDS'],
  [
    'no accepted where it is optional',
    { accepted: 'optional' },
    async (kit) => Object.keys((await start(kit)).data),
    ['widgetToken'],
  ],
  ['no accepted', { accepted: 'no' }, async (kit) => Object.keys((await start(kit)).data), ['widgetToken']],
  [
    'the end of a token',
    { validUntil: 'yes' },
    async (kit) => (await start(kit)).data.validUntil - kit.clock.now(),
    600_000,
  ],
  [
    'dates as times',
    { loanDates: 'date-time' },
    async (kit) => {
      const { transferDate, installments } = (await paid(kit)).body.data
      return [transferDate, installments[0].expirationDate]
    },
    ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'],
  ],
  [
    'states',
    { loanStates: 'VIGENTE,PAGADO', installmentStates: 'PENDING' },
    async (kit) => {
      const { state, installments } = (await paid(kit)).data
      return [state, installments[0].state]
    },
    ['VIGENTE', 'PENDING'],
  ],
  ['the status of no loan', { notYet: '422,404' }, async (kit) => (await verify(kit)).status, 422],
  [
    'an empty answer without a loan',
    { notYet: 'empty' },
    async (kit) => {
      const { status, body } = await verify(kit)
      return [status, body]
    },
    [200, { data: {} }],
  ],
  ['the status of a wrong key', { wrongKeyStatus: '403' }, async (kit) => (await verify(kit, null)).status, 403],
  [
    'errors without an envelope',
    { errorForm: 'flat' },
    async (kit) => (await verify(kit)).body,
    { code: 'ERR_LOAN_NOT_FOUND', message: 'no loan for this transaction' },
  ],
  [
    'errors in data',
    { errorForm: 'data' },
    async (kit) => (await verify(kit)).body.data,
    expect.objectContaining({ status: 404, code: 'ERR_LOAN_NOT_FOUND', ip: '127.0.0.1' }),
  ],
  [
    'errors as a text',
    { errorForm: 'text' },
    async (kit) => (await verify(kit)).text,
    'ERR_LOAN_NOT_FOUND: no loan for this transaction\n',
  ],
  [
    'the path of the leads',
    { 'paths.leads': '/v2/leads' },
    async (kit) => {
      const key = kit.estate.apiKey
      return [
        (await kit.send('GET', '/v2/leads', { key })).status,
        (await kit.send('GET', '/partner/leads', { key })).status,
      ]
    },
    [200, 404],
  ],
  [
    'the rate limit, and Retry-After as a date',
    { rateLimit: '1/1m', retryAfter: 'date' },
    async (kit) => {
      await verify(kit)
      const { status, headers } = await verify(kit)
      return [status, headers['retry-after']]
    },
    [429, 'Sun, 01 Mar 2026 12:01:00 GMT'],
  ],
  [
    'one limit for all calls of a key, and headers about it',
    { rateLimit: '2/1m', rateLimitPer: 'key', rateHeaders: 'x-ratelimit' },
    async (kit) => {
      const shown = ({ status, headers }: Reply) => [
        status,
        ...['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]),
      ]
      return [shown(await evaluate(kit)), shown(await verify(kit)), shown(await verify(kit))]
    },
    [
      [200, '2', '1', '30'],
      [404, '2', '0', '60'],
      [429, '2', '0', '60'],
    ],
  ],
  [
    'a refusal without a call, in the form of errors',
    { errorForm: 'data' },
    async (kit) => (await kit.send('GET', '/partner/nothing')).body.data.status,
    404,
  ],
  [
    'JSON for webhooks',
    { 'bodies.registration': 'json' },
    async (kit) => {
      const url = 'http://127.0.0.1:1/hook'
      const statuses = [{ form: { url } }, { json: { url } }].map((body) => kit.send('POST', '/partner/webhook', body))
      return (await Promise.all(statuses)).map(({ status }) => status)
    },
    [415, 201],
  ],
  [
    'the field of the project',
    { projectField: 'proyecto' },
    async (kit) => {
      const form = { url: 'https://a.example/x', 'eventTypes[]': 'new_lead', proyecto: 'P1' }
      return (await kit.send('POST', '/partner/webhook/subscription', { form, key: kit.estate.apiKey })).data.proyecto
    },
    'P1',
  ],
])('a sandbox with a description follows it: %s', async (_, fields, seen, expected) => {
  await using kit = await kitOf(fields)
  expect(await seen(kit)).toEqual(expected)
})

test('a delivery has the header, the signature, the content type and the dates of the description', async () => {
  await using kit = await kitOf({
    signatureHeader: 'acme-signature',
    signatureForm: 'timestamp',
    hmacAlgorithm: 'sha512',
    hmacEncoding: 'base64',
    deliveryType: 'application/vnd.acme+json',
    loanDates: 'date-time',
    eventPreApproveId: 'no',
    eventIdPrefix: 'evt_',
  })
  const { data: destination } = await kit.send('POST', '/partner/webhook', { form: { url: 'http://127.0.0.1:1/hook' } })
  await paid(kit)
  const [row] = (await webhookViews.deliveries({}, kit.sandbox.service)).rows
  const delivery = await webhookViews.delivery({ id: row?.deliveryId }, kit.sandbox.service)
  if (delivery === null) throw new Error('no delivery')
  const header = (name: string) => delivery.headers.find((each) => each.name === name)?.value
  const at = Math.floor(kit.clock.now() / 1000)
  const digest = createHmac('sha512', destination.secret).update(`${at}.${delivery.body}`).digest('base64')
  expect(header('acme-signature')).toBe(`t=${at},signature=${digest}`)
  expect(header('content-type')).toBe('application/vnd.acme+json')
  const { eventId, data } = JSON.parse(delivery.body)
  expect(eventId).toMatch(/^evt_[\da-f-]{36}$/)
  expect(data.transferDate).toBe('2026-03-01T00:00:00Z')
  expect(Object.keys(data)).not.toContain('preApproveId')
})

test('a served sandbox and the commands that use it follow one description, and it ends with the sandbox', async () => {
  using m = machine()
  describe(m, { 'paths.leads': '/v2/leads', preApproveIdField: 'folio', notYet: '409' })
  await whileServed(
    m,
    async ({ port }) => {
      const evaluated = await m.run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T1 --json')
      expect(evaluated.json().preApproveId).toMatch(/^[\da-f-]{36}$/)
      expect((await m.run('verify -p sandbox T1')).code).toBe(6)
      expect((await m.run('leads list -p sandbox:real-estate --json')).json()).toEqual([])
      const { service } = (await m.run('sandbox status --json')).json()
      expect(service).toEqual({
        name: join(m.dir, 'service.json'),
        answers: [
          { field: 'paths.leads', answer: '/v2/leads' },
          { field: 'preApproveIdField', answer: 'folio' },
          { field: 'notYet', answer: '409' },
        ].sort((a, b) => order(a.field) - order(b.field)),
      })
      const gaps = (await m.run('contract gaps -p sandbox --json')).json()
      expect(gaps.find(({ field }: any) => field === 'preApproveIdField')).toMatchObject({ gap: 1, answer: 'folio' })
      expect(port).toBeGreaterThan(0)
    },
    '--service service.json',
  )
  expect((await m.run('sandbox status --json')).json().service).toEqual({ name: 'specification', answers: [] })
})

const order = (field: string) => ['preApproveIdField', 'paths.leads', 'notYet'].indexOf(field)

test.each([
  ['--service no.json', 2, 'NO_SUCH_SERVICE'],
  ['--like no.json', 2, 'NO_SUCH_SERVICE'],
  ['--service bad.json', 2, 'BAD_SERVICE'],
  ['--service day.ndjson', 2, 'BAD_SERVICE'],
  ['--service bad.json --like bad.json', 2, 'USAGE'],
])('sandbox run %s is refused before anything starts', async (options, code, error) => {
  using m = machine()
  writeFileSync(join(m.dir, 'bad.json'), '{}')
  writeFileSync(join(m.dir, 'day.ndjson'), '{"kind":"session","v":1,"session":"a"}\n')
  const ran = await m.run(`sandbox run ${options} --json -- true`)
  expect([ran.code, ran.error().code]).toEqual([code, error])
  if (options.includes('day')) expect(ran.error().hint).toContain('bnpl contract learn day.ndjson --write service.json')
})

test('the service of a profile is stored with its absolute path, checked when it is set, and single settings are on top of it', async () => {
  using m = machine()
  describe(m, { hmacEncoding: 'base64', hmacAlgorithm: 'sha512', notYet: '404' })
  writeFileSync(join(m.dir, 'key.txt'), 'ak_test_1234567890abcdef')
  const add = 'profiles add acme --base-url https://api.example.com --api-key-file key.txt'
  expect((await m.run(`${add} --service nothing.json`)).code).toBe(2)
  expect((await m.run(`${add} --service service.json`)).code).toBe(0)
  await m.run('profiles set hmacAlgorithm sha384')
  const shown = async (options = {}) => (await m.run('profiles show acme --json', options)).json()
  const path = join(m.dir, 'service.json')
  expect(await shown()).toMatchObject({
    service: { value: path, source: 'profile acme' },
    hmacEncoding: { value: 'base64', source: path },
    hmacAlgorithm: { value: 'sha384', source: 'profile acme' },
    projectField: { value: 'projectId', source: 'default' },
    'paths.leads': null,
  })
  expect((await m.run('profiles set service other.json')).code).toBe(2)
  expect(await shown({ env: { BNPL_SERVICE: 'specification' } })).toMatchObject({
    service: { value: 'specification', source: 'BNPL_SERVICE' },
    hmacEncoding: { value: 'hex', source: 'default' },
    hmacAlgorithm: { value: 'sha384', source: 'profile acme' },
  })
  const broken = await m.run('evaluate --rut 11222333-9 --amount 1 -p acme', { env: { BNPL_SERVICE: 'no.json' } })
  expect([broken.code, broken.stderr]).toEqual([3, expect.stringContaining('of BNPL_SERVICE')])
  expect(JSON.parse(readFileSync(join(m.configDir, 'profiles.json'), 'utf8')).profiles.acme.service).toBe(path)
})

test.each(['specification', 'banca.me'])(
  'an account has several entities with unique names, and an inactive one refuses payments (%s)',
  async (name) => {
    const description = await serviceCalled(name)
    await using kit = await sandboxKit({ description })
    const entity = { externalEntityId: 'E2', name: 'Second shop', label: 'second', isActive: true }
    const add = (more = {}) => kit.send('POST', '/partner/entity', { json: { ...entity, ...more } })
    const { data: added } = await add()
    expect(added).toMatchObject({ ...entity, id: expect.stringMatching(/^ex-[\da-f]{16}$/) })
    const statuses = [await add({ label: 'third' }), await add({ externalEntityId: 'E3' })].map(({ status }) => status)
    expect(statuses).toEqual([428, 428])
    expect((await add({ label: 'third', externalEntityId: 'E3' })).status).toBe(201)
    expect((await kit.send('GET', '/partner/entity')).data).toHaveLength(3)
    const evaluated = (externalTrxId: string) => evaluate(kit, { externalTrxId, entityId: added.id })
    expect((await evaluated('T1')).status).toBe(200)
    await kit.send('PATCH', `/partner/entity/${added.id}`, { json: { isActive: false } })
    const form = { email: 'a@example.com', amount: '250000', entityId: added.id, externalTrxId: 'T3' }
    const refused = [await evaluated('T2'), await kit.send('POST', '/partner/widget/start', { form })]
    expect(refused.map(({ status, text }) => [status, text.includes('ERR_ENTITY_INACTIVE')])).toEqual([
      [422, true],
      [422, true],
    ])
    const asForm = await kit.send('POST', '/partner/entity', { form: { ...entity, isActive: 'true', label: 'fourth' } })
    if (name === 'banca.me') expect(asForm.status).toBe(415)
  },
)

test('commands with -p sandbox in this process follow the service banca.me: a payment without an evaluation, times as dates, and errors', async () => {
  using m = machine()
  const env = { BNPL_SERVICE: 'banca.me' }
  const run = (line: string) => m.run(`${line} -p sandbox --json`, { env })
  const token = await run('widget-token --trx T1 --amount 250000 --email a@example.com')
  expect([token.code, token.json()]).toMatchObject([0, { accepted: true, validUntil: expect.any(Number) }])
  expect((await run('verify T1')).code).toBe(6)
  expect((await m.run('sandbox pay T1 --rut 16161616-8 --json', { env })).json()).toMatchObject({ outcome: 'paid' })
  const { transferDate, installments } = (await run('verify T1')).json()
  const asTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
  expect([transferDate, installments[0].expirationDate]).toEqual([asTime, asTime])
  const refused = await run('evaluate --rut 11111111-1 --amount 250000 --trx T2')
  expect([refused.code, refused.error().code]).toEqual([5, 'ERR_CUSTOMER_NOT_APPROVED'])
  const status = (await m.run('sandbox status', { env })).stdout
  expect(status).toMatch(/100 calls at once, then 100 a minute, for each key; left: \d+ for Tienda Demo\n/)
})
