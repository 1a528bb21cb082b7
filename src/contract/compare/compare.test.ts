import { expect, test } from 'vitest'
import { LOAN as A_LOAN } from '../../../test/kit/loan.ts'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { readSeenBody } from '../../recording/proxy/watch.ts'
import { CONTROL_PREFIX } from '../../sandbox/service/access.ts'
import type { CALLS } from '../calls/calls.ts'
import { SPECIFICATION, withAnswers } from '../description.ts'
import { ENDPOINT_NAMES } from '../endpoints.ts'
import { FORM_TYPE } from '../form.ts'
import type { Transport } from '../wire.ts'
import { compareExchange } from './compare.ts'
import type { PlainExchange } from './exchange.ts'

/** A sandbox, and its exchanges in the form in which the proxy sees them. */
async function watchedKit() {
  const kit = await sandboxKit()
  const seen: PlainExchange[] = []
  const inner = kit.sandbox.transport
  const transport: Transport = async (request) => {
    const answer = await inner(request)
    const { pathname, search } = new URL(request.url)
    if (pathname.startsWith(CONTROL_PREFIX)) return answer
    const [sent, got] = [Object.entries(request.headers), Object.entries(answer.headers)]
    const { body } = request
    seen.push({
      request: {
        method: request.method,
        path: pathname + search,
        headers: sent,
        body: readSeenBody(body, body?.length ?? 0, sent),
      },
      response: { status: answer.status, headers: got, body: readSeenBody(answer.body, answer.body.length, got) },
    })
    return answer
  }
  Object.assign(kit.sandbox, { transport })
  return { kit, seen }
}

test('a session with every call and usual refusals of the sandbox has no problem', async () => {
  const { kit, seen } = await watchedKit()
  await using _ = kit
  const estate = { key: kit.estate.apiKey }
  const evaluated = await kit.evaluate('T1')
  const { preApproveId } = evaluated.data
  const form = { preApproveId, installmentOption: '6', externalTrxId: 'T1', amount: '250000' }
  await kit.send('POST', '/partner/pre-loan-request/loan-request', { form })
  await kit.startWidget('T1')
  expect(await kit.verify('T1')).toMatchObject({ status: 404 })
  await kit.control('pay', { externalTrxId: 'T1' })
  await kit.verify('T1')
  await kit.send('POST', '/partner/pre-approve/T1/loan', { json: {} })
  await kit.send('POST', '/partner/pre-approve/T1/loan')
  await kit.send('POST', '/partner/pre-approve/T1/loan/cancel')
  const entity = { externalEntityId: 'E2', name: 'Shop', label: 'shop', isActive: true }
  const added = await kit.send('POST', '/partner/entity', { json: entity })
  await kit.send('POST', '/partner/entity', { json: entity })
  await kit.send('GET', '/partner/entity')
  await kit.send('PATCH', `/partner/entity/${added.data.id}`, { json: { isActive: false } })
  await kit.startWidget('T1')
  const hook = { url: 'https://shop.example/hook' }
  const made = await kit.send('POST', '/partner/webhook', { form: { ...hook, eventTypes: ['new_lead'] } })
  await kit.send('POST', '/partner/webhook', { json: { ...hook, filters: { a: 'b' } } })
  const wanted = { ...hook, eventTypes: ['new_lead', 'pre_approve'], filters: { outcome: 'approved' }, projectId: 'p1' }
  await kit.send('POST', '/partner/webhook/subscription', { form: wanted, ...estate })
  await kit.send('POST', '/partner/webhook/subscription', { json: wanted, ...estate })
  await kit.send('POST', '/partner/webhook/subscription', { form: { ...hook, eventTypes: ['new_lead'] } })
  await kit.send('GET', '/partner/webhook')
  await kit.send('DELETE', `/partner/webhook/${made.data.id}`)
  await kit.send('DELETE', '/partner/webhook/none')
  const { data: lead } = await kit.control('lead', { rut: '11222333-9' })
  kit.clock.advance(60_000)
  await kit.sandbox.tick()
  await kit.send('GET', '/partner/leads', estate)
  await kit.send('GET', '/partner/leads?page=2', estate)
  await kit.send('GET', `/partner/leads/${lead.leadId}`, estate)
  await kit.send('GET', `/partner/pre-approve/lead/${lead.leadId}`, estate)
  const { data: evaluation } = await kit.send('GET', '/partner/pre-approve/rut/11222333-9', estate)
  await kit.send('GET', `/partner/pre-approve/${evaluation.idPreAprobacion}/informe`, estate)
  await kit.send('GET', '/partner/pre-approve/none/informe', estate)
  await kit.send('GET', `/partner/pre-approve/${evaluation.idPreAprobacion}/informe`)
  await kit.send('GET', new URL(evaluation.urlInforme).pathname, { key: null })
  await kit.send('GET', '/partner/webhook', { key: 'wrong' })
  const held = seen.map((each) => ({
    ...compareExchange(each, { description: WITH_ALL_CALLS }),
    path: each.request.path,
    status: each.response?.status,
  }))
  expect(held.filter(({ problems }) => problems.length > 0)).toEqual([])
  expect(new Set(held.map(({ endpoint }) => endpoint))).toEqual(new Set(ENDPOINT_NAMES))
  expect(held.length).toBeGreaterThan(24)
  // A field that is not in the specification is reported as news, not as a difference.
  expect(new Set(held.flatMap(({ news }) => news)).size).toBeGreaterThan(3)
})

type Name = keyof typeof CALLS

const KEY = 'bnpl_test_AbCdEfGhIjKlMnOpQrStUvWxYz'
const RUT = '87654321-4'
const MAIL = 'maria.perez@mail.example'
const UUID = '0b6f1d0e-6d0a-4c0f-9d54-1a2b3c4d5e6f'

const auth = ['Authorization', `Bearer ${KEY}`] as const
const asForm = (fields: Record<string, string>) => ({ form: Object.entries(fields) })
const ok = (data: unknown, more = {}) => ({ status: 200, headers: [], body: { json: { data, ...more } } })
const post = (path: string, fields: Record<string, string>) => ({
  method: 'POST',
  path,
  headers: [auth, ['Content-Type', FORM_TYPE] as const],
  body: asForm(fields),
})
const get = (path: string) => ({ method: 'GET', path, headers: [auth] })

const ORDER = { amount: '250000', entityId: 'E1', externalTrxId: 'T1' }
const EVALUATE = { ...ORDER, idNumber: RUT }
const OPTION = { installments: 6, amount: 45_000, total: 270_000 }
const LOAN = {
  ...A_LOAN,
  loanAmount: 250_000,
  interestRate: 0.0189,
  installmentAmount: 250_000,
  lastInstallmentAmount: 250_000,
}
const RECORD = { idPreAprobacion: UUID, urlInforme: 'https://s.example/partner/informe/abc' }

/** A service that has also the calls that the specification does not have. */
const WITH_ALL_CALLS = withAnswers(SPECIFICATION, {
  cancel: { text: 'yes', source: { setting: 'test' } },
  entities: { text: 'yes', source: { setting: 'test' } },
})

/** One correct exchange of each call. */
const RIGHT = {
  evaluate: {
    request: post('/partner/pre-loan-request/bnpl', EVALUATE),
    response: ok({ preApproveId: UUID, installmentOptions: [OPTION] }),
  },
  select: {
    request: post('/partner/pre-loan-request/loan-request', {
      preApproveId: UUID,
      installmentOption: '6',
      externalTrxId: 'T1',
      amount: '250000',
    }),
    response: ok({ loanRequestId: 'L1', step: 'AUTHORIZATION', preApproveId: UUID }),
  },
  startWidget: {
    request: post('/partner/widget/start', { ...ORDER, email: MAIL }),
    response: ok({ accepted: true, widgetToken: 'a.b.c' }),
  },
  verifyLoan: { request: post('/partner/pre-approve/T1/loan', {}), response: ok(LOAN) },
  cancelLoan: { request: post('/partner/pre-approve/T1/loan/cancel', {}), response: ok({ refundAmount: 0 }) },
  registerWebhook: {
    request: post('/partner/webhook', { url: 'https://shop.example/hook' }),
    response: { ...ok({ id: 1 }), status: 201 },
  },
  subscribeWebhook: {
    request: post('/partner/webhook/subscription', { url: 'https://shop.example/hook', 'eventTypes[]': 'new_lead' }),
    response: ok({ id: 1 }),
  },
  listWebhooks: {
    request: get('/partner/webhook'),
    response: ok([{ id: 1, url: 'https://shop.example', verificationScheme: 'HMAC' }]),
  },
  deleteWebhook: { request: { ...get('/partner/webhook/1'), method: 'DELETE' }, response: ok({}) },
  getInforme: {
    request: get(`/partner/pre-approve/${UUID}/informe`),
    response: ok({ url: 'https://s3.example/x.pdf' }),
  },
  openInforme: {
    request: { method: 'GET', path: '/partner/informe/abc', headers: [] },
    response: { status: 302, headers: [['Location', 'https://s3.example/x.pdf'] as const] },
  },
  evaluationByRut: { request: get(`/partner/pre-approve/rut/${RUT}`), response: ok(RECORD) },
  evaluationByLead: { request: get('/partner/pre-approve/lead/1'), response: ok(RECORD) },
  listLeads: { request: get('/partner/leads'), response: ok([{ idPreAprobacion: UUID }, { idPreAprobacion: null }]) },
  getLead: { request: get('/partner/leads/1'), response: ok({ name: 'Maria' }) },
  addEntity: {
    request: {
      ...get('/partner/entity'),
      method: 'POST',
      headers: [['Authorization', `Bearer ${KEY}`] as const, ['Content-Type', 'application/json'] as const],
      body: { json: { externalEntityId: 'E2', name: 'Shop', label: 'shop', isActive: true } },
    },
    response: { ...ok({ id: 'ex-1' }), status: 201 },
  },
  listEntities: { request: get('/partner/entity'), response: ok([{ id: 'ex-1', externalEntityId: 'E2' }]) },
  setEntity: {
    request: {
      ...get('/partner/entity/ex-1'),
      method: 'PATCH',
      headers: [['Authorization', `Bearer ${KEY}`] as const, ['Content-Type', 'application/json'] as const],
      body: { json: { isActive: false } },
    },
    response: ok({ id: 'ex-1' }),
  },
} satisfies Record<Name, PlainExchange>

test.each(Object.entries<PlainExchange>(RIGHT))('the right exchange of %s has no problem', (name, exchange) => {
  expect(compareExchange(exchange, { description: WITH_ALL_CALLS })).toEqual({
    endpoint: name,
    problems: [],
    news: expect.any(Array),
  })
})

const right = (name: Name): PlainExchange => RIGHT[name]
const requestOf = (name: Name, change: Partial<PlainExchange['request']>): PlainExchange => ({
  ...right(name),
  request: { ...right(name).request, ...change },
})
const fieldsOf = (name: Name, fields: Record<string, string>) => requestOf(name, { body: asForm(fields) })
const answerOf = (name: Name, change: object): PlainExchange => {
  const { response } = right(name)
  if (!response) throw new Error(name)
  return { ...right(name), response: { ...response, ...change } }
}
const dataOf = (name: Name, data: unknown) => answerOf(name, { body: { json: { data } } })
const headers = (...more: (readonly [string, string])[]) => ({ headers: more })
const formType = ['content-type', FORM_TYPE] as const
const jsonType = ['content-type', 'application/json'] as const
const without = (fields: object, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

type Deviation = [what: string, exchange: PlainExchange, ...problems: [where: string, seen: string][]]

const DEVIATIONS: Deviation[] = [
  ['an unknown path', requestOf('evaluate', { path: `/partner/x/${RUT}` }), ['request path', '/partner/…/…']],
  [
    'a slash at the end',
    requestOf('listWebhooks', { path: '/partner/webhook/' }),
    ['request path', '/partner/webhook/'],
  ],
  ['another method', requestOf('evaluate', { method: 'PUT' }), ['request method', 'PUT']],
  ['a read by POST', requestOf('getInforme', { method: 'POST' }), ['request method', 'POST']],
  ['no key', requestOf('listWebhooks', headers()), ['request header authorization', 'no such header']],
  ['two keys', requestOf('listWebhooks', headers(auth, auth)), ['request header authorization', '2 headers']],
  [
    'a key without its scheme',
    requestOf('listWebhooks', headers(['authorization', KEY])),
    ['request header authorization', 'a value that does not begin with Bearer'],
  ],
  [
    'a key of another scheme',
    requestOf('listWebhooks', headers(['authorization', `Basic ${KEY}`])),
    ['request header authorization', 'the scheme Basic'],
  ],
  [
    'a key that its program did not have',
    requestOf('listWebhooks', headers(['authorization', 'Bearer undefined'])),
    ['request header authorization', 'Bearer and the word undefined'],
  ],
  [
    'a quoted key',
    requestOf('listWebhooks', headers(['authorization', `Bearer "${KEY}"`])),
    ['request header authorization', 'a key with spaces, quotes or brackets'],
  ],
  ['a key for a report link', requestOf('openInforme', headers(auth)), ['request header authorization', 'the header']],
  [
    'a field in the query',
    requestOf('listWebhooks', { path: '/partner/webhook?page=2' }),
    ['request query page', 'a field'],
  ],
  [
    'a person as the name of a field',
    requestOf('listWebhooks', { path: `/partner/webhook?${RUT}=1` }),
    ['request query (a name of 10 characters)', 'a field'],
  ],
  [
    'a national id with dots in the path',
    requestOf('evaluationByRut', { path: '/partner/pre-approve/rut/12.345.678-5' }),
    ['request path rut', 'a text such as 00.000.000-0'],
  ],
  [
    'an id that its program did not have',
    requestOf('verifyLoan', { path: '/partner/pre-approve/undefined/loan' }),
    ['request path externalTrxId', 'the word undefined'],
  ],
  [
    'JSON where a form is shown',
    requestOf('evaluate', { headers: [auth, jsonType], body: { json: EVALUATE } }),
    ['request header content-type', 'application/json'],
  ],
  ['JSON under the type of a form', requestOf('evaluate', { body: { json: EVALUATE } }), ['request body', 'JSON']],
  ['no content type', requestOf('evaluate', headers(auth)), ['request header content-type', 'no such header']],
  [
    'a multipart body',
    requestOf('startWidget', headers(auth, ['Content-Type', 'multipart/form-data; boundary=x'])),
    ['request header content-type', 'multipart/form-data'],
  ],
  ['a body of a read', requestOf('listWebhooks', { body: { text: 'hello' } }), ['request body', 'text']],
  ['a missing field', fieldsOf('evaluate', without(EVALUATE, 'entityId')), ['request form entityId', 'nothing']],
  ['an empty field', fieldsOf('evaluate', { ...EVALUATE, entityId: '' }), ['request form entityId', 'an empty text']],
  [
    'a field that its program did not have',
    fieldsOf('startWidget', { ...ORDER, entityId: 'undefined', email: MAIL }),
    ['request form entityId', 'the word undefined'],
  ],
  [
    'an amount with separators',
    fieldsOf('evaluate', { ...EVALUATE, amount: '250.000' }),
    ['request form amount', 'a text such as 000.000'],
  ],
  [
    'an amount with a sign',
    fieldsOf('evaluate', { ...EVALUATE, amount: '$ 250000' }),
    ['request form amount', 'a text such as $ 000000'],
  ],
  [
    'a national id with dots',
    fieldsOf('evaluate', { ...EVALUATE, idNumber: '12.345.678-5' }),
    ['request form idNumber', 'a text such as 00.000.000-0'],
  ],
  [
    'a field of another name',
    fieldsOf('evaluate', { ...without(EVALUATE, 'idNumber'), rut: RUT }),
    ['request form idNumber', 'nothing'],
    ['request form rut', 'a field'],
  ],
  [
    'a field that comes twice',
    requestOf('evaluate', { body: { form: [...Object.entries(EVALUATE), ['entityId', 'E2']] } }),
    ['request form entityId', '2 times'],
  ],
  [
    'no e-mail address',
    fieldsOf('startWidget', { ...ORDER, email: 'maria' }),
    ['request form email', 'a text of 5 characters'],
  ],
  ['a body with fields for a verification', fieldsOf('verifyLoan', { a: 'b' }), ['request form a', 'a field']],
  [
    'a destination by http',
    fieldsOf('registerWebhook', { url: 'http://shop.example/hook' }),
    ['request form url', 'an http address'],
  ],
  [
    'a destination that is no text',
    requestOf('registerWebhook', { headers: [auth, jsonType], body: { json: { url: 5 } } }),
    ['request json url', 'a whole number'],
  ],
  [
    'a list for an object',
    requestOf('registerWebhook', { headers: [auth, jsonType], body: { json: [{ url: 'https://a.example' }] } }),
    ['request body', 'a list of length 1'],
  ],
  [
    'an event of the other integration',
    fieldsOf('subscribeWebhook', { url: 'https://a.example', eventTypes: 'new_lead,loan_approved' }),
    ['request form eventTypes', 'loan_approved'],
  ],
  [
    'a subscription without events',
    fieldsOf('subscribeWebhook', { url: 'https://a.example' }),
    ['request form eventTypes', 'nothing'],
  ],
  ['200 where 201 is shown', answerOf('registerWebhook', { status: 200 }), ['answer status', '200']],
  ['201 where 200 is shown', answerOf('getInforme', { status: 201 }), ['answer status', '201']],
  ['a refusal beside the listed ones', answerOf('getInforme', { status: 422 }), ['answer status', '422']],
  ['500 where 503 is shown', answerOf('getInforme', { status: 500, body: undefined }), ['answer status', '500']],
  ['a redirect of a call', answerOf('evaluate', { status: 301 }), ['answer status', '301']],
  ['a failure', answerOf('evaluate', { status: 502, body: { text: '<html>' } }), ['answer status', '502']],
  ['a report link that is not redirected', answerOf('openInforme', { status: 200 }), ['answer status', '200']],
  ['a redirect to nowhere', answerOf('openInforme', headers()), ['answer header location', 'nothing']],
  [
    'another code of a status whose codes are listed',
    answerOf('getInforme', { status: 503, body: { json: { error: { code: 'ERR_RENDER' } } } }),
    ['answer code', 'ERR_RENDER'],
  ],
  ['no code there', answerOf('getInforme', { status: 503, body: { text: 'busy' } }), ['answer code', 'no code']],
  ['a page', answerOf('evaluate', { body: { text: '<html></html>' } }), ['answer body', 'a page']],
  ['an empty answer', answerOf('evaluate', { body: undefined }), ['answer body', 'nothing']],
  ['broken JSON', answerOf('evaluate', { body: { omitted: 'broken-json', bytes: 9 } }), ['answer body', 'broken JSON']],
  ['no envelope', answerOf('select', { body: { json: [] } }), ['answer body', 'a list of length 0']],
  [
    'an envelope of another name',
    answerOf('select', { body: { json: { result: {} } } }),
    ['answer result', 'one more key'],
    ['answer data', 'nothing'],
  ],
  [
    'an envelope with more in it',
    answerOf('select', { body: { json: { data: RIGHT.select.response.body.json.data, meta: {} } } }),
    ['answer meta', 'one more key'],
  ],
  [
    'an option whose amount is text',
    dataOf('evaluate', { installmentOptions: [OPTION, { ...OPTION, amount: '45000' }] }),
    ['answer data.installmentOptions[].amount', 'a text of 5 digits'],
  ],
  ['options of another name', dataOf('evaluate', { options: [OPTION] }), ['answer data.installmentOptions', 'nothing']],
  [
    'options that are one object',
    dataOf('evaluate', { installmentOptions: OPTION }),
    ['answer data.installmentOptions', 'an object'],
  ],
  ['a loan in a list', dataOf('verifyLoan', [LOAN]), ['answer data', 'a list of length 1']],
  [
    'a fraction of a currency unit',
    dataOf('verifyLoan', { ...LOAN, loanAmount: 250_000.5 }),
    ['answer data.loanAmount', 'a number with decimals'],
  ],
  [
    'a rate in percent',
    dataOf('verifyLoan', { ...LOAN, interestRate: 1.89 }),
    ['answer data.interestRate', 'a number of 1 or more'],
  ],
  [
    'a negative rate in percent',
    dataOf('verifyLoan', { ...LOAN, interestRate: -1.89 }),
    ['answer data.interestRate', 'a number of -1 or less'],
  ],
  [
    'a date with its time',
    dataOf('verifyLoan', { ...LOAN, transferDate: '2026-03-01T00:00:00Z' }),
    ['answer data.transferDate', 'a text such as 0000-00-00T00:00:00Z'],
  ],
  [
    'a date of another order',
    dataOf('verifyLoan', { ...LOAN, installments: [{ ...LOAN.installments[0], expirationDate: '01/04/2026' }] }),
    ['answer data.installments[].expirationDate', 'a text such as 00/00/0000'],
  ],
  [
    'a period from 0',
    dataOf('verifyLoan', { ...LOAN, installments: [{ ...LOAN.installments[0], period: 0 }] }),
    ['answer data.installments', 'periods in another order or with other numbers'],
  ],
  [
    'too few installments',
    dataOf('verifyLoan', { ...LOAN, periods: 3 }),
    ['answer data.installments', 'a list of length 1 for 3 periods'],
  ],
  ['a state that is null', dataOf('verifyLoan', { ...LOAN, state: null }), ['answer data.state', 'null']],
  [
    'an id of another form',
    dataOf('select', { loanRequestId: 'L1', step: 'X', preApproveId: '77' }),
    ['answer data.preApproveId', 'a text of 2 digits'],
  ],
  [
    'an id that is a number',
    dataOf('select', { loanRequestId: 7, step: 'X', preApproveId: UUID }),
    ['answer data.loanRequestId', 'a whole number'],
  ],
  [
    'a text for true',
    dataOf('startWidget', { accepted: 'true', widgetToken: 'a' }),
    ['answer data.accepted', 'the word true'],
  ],
  ['a link without its origin', dataOf('getInforme', { url: '/x.pdf' }), ['answer data.url', 'a text of 6 characters']],
  ['a row without its address', dataOf('listWebhooks', [{ id: 1 }]), ['answer data[].url', 'nothing']],
  [
    'an evaluation without its link',
    dataOf('evaluationByRut', without(RECORD, 'urlInforme')),
    ['answer data.urlInforme', 'nothing'],
  ],
  ['a cut answer', { request: RIGHT.evaluate.request, ended: 'reset' }, ['answer', 'a connection that was cut off']],
]

test.each(DEVIATIONS)(
  '%s is reported with the place in the exchange, and without secrets',
  (_, exchange, ...problems) => {
    const held = compareExchange(exchange)
    expect(held.problems.map(({ where, seen }) => [where, seen])).toEqual(problems)
    const text = JSON.stringify(held)
    for (const secret of [KEY, RUT, MAIL, UUID, '12.345.678-', '250.000']) expect(text).not.toContain(secret)
  },
)

test('an exchange that the specification leaves open has no problem', () => {
  const open: PlainExchange[] = [
    dataOf('listWebhooks', { items: [{ id: 'a', url: 'https://a.example' }], page: 1 }),
    dataOf('listLeads', []),
    dataOf('verifyLoan', {}),
    answerOf('verifyLoan', { status: 204, body: undefined }),
    answerOf('evaluate', { status: 201 }),
    answerOf('evaluate', { status: 409, body: { text: 'no' } }),
    answerOf('evaluate', { status: 503, body: undefined }),
    answerOf('deleteWebhook', { status: 204, body: undefined }),
    answerOf('registerWebhook', { body: { text: 'ok' } }),
    requestOf('verifyLoan', { headers: [auth], body: undefined }),
    requestOf('verifyLoan', { headers: [auth, jsonType], body: { json: {} } }),
    requestOf('verifyLoan', { headers: [auth, formType], body: { text: '{}' } }),
    { ...right('openInforme'), request: { ...right('openInforme').request, path: '/r/abc' } },
    { request: right('evaluate').request, ended: 'aborted' },
    {
      request: { method: 'GET', path: '/storage/x', headers: [] },
      response: { status: 200, headers: [['content-type', 'application/pdf']], body: { omitted: 'pdf', bytes: 9 } },
    },
  ]
  expect(open.flatMap((each) => compareExchange(each).problems)).toEqual([])
  expect(DEVIATIONS.length).toBeGreaterThan(60)
})

test('a call to a path from the settings has no problem', () => {
  const exchange = requestOf('listLeads', { path: '/v2/leads' })
  expect(compareExchange(exchange).problems).toHaveLength(1)
  expect(compareExchange(exchange, { paths: { 'paths.leads': '/v2/leads' } })).toMatchObject({
    endpoint: 'listLeads',
    problems: [],
  })
})
