import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Entry,
  lineOf,
  type RecordedBody,
  type RecordedDelivery,
  type RecordedExchange,
} from '../../src/recording/lines.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { whileServed } from '../kit/served.ts'

const common = { v: 1 as const, session: 's', at: '2026-03-01T12:00:00.000Z' }
const SESSION: Entry = { kind: 'session', ...common, program: 'bnpl 1', command: 'smoke', environment: 'beta' }
const ID = '01a20295-9788-7000-b3ca-c4f42eb6e470'
const FORM = 'application/x-www-form-urlencoded'

interface Call {
  path?: string
  form?: [string, string][]
  json?: unknown
  status?: number
  answer?: unknown
  text?: string
  headers?: [string, string][]
}

function call(endpoint: string, { path = '/x', form, json, status = 200, answer, text, headers = [] }: Call): Entry {
  const type = text === undefined ? 'application/json' : 'text/plain'
  const sent: RecordedBody | undefined = form ? { form } : json === undefined ? undefined : { json }
  const response = { status, headers: [['content-type', type], ...headers] as [string, string][] }
  const got: RecordedBody | undefined = text === undefined ? { json: answer ?? { data: {} } } : { text }
  return {
    kind: 'exchange',
    ...common,
    by: 'client',
    endpoint,
    ms: 5,
    request: {
      method: 'POST',
      path,
      headers: [['content-type', json === undefined ? FORM : 'application/json']],
      ...(sent && { body: sent }),
    },
    response: { ...response, body: got },
  } satisfies RecordedExchange
}

const delivery = (more: Partial<RecordedDelivery> = {}, data: unknown = {}): Entry => ({
  kind: 'delivery',
  ...common,
  ms: 1,
  request: {
    method: 'POST',
    path: '/hook',
    headers: [['content-type', 'application/json']],
    body: { json: { eventId: 'e1', data } },
  },
  response: { status: 200 },
  ...more,
})
const at = (seconds: number) => new Date(Date.parse(common.at) + 1000 * seconds).toISOString()

const recording = (m: Machine, name: string, entries: readonly Entry[]) =>
  writeFileSync(join(m.dir, name), [SESSION, ...entries].map(lineOf).join(''))

const evaluation = (data: unknown) => call('evaluate', { answer: { data } })
const verified = (data: unknown, status = 200) =>
  call('verifyLoan', { path: '/partner/pre-approve/T1/loan', form: [], status, answer: { data } })
const refused = (status: number, code = 'ERR_X') =>
  call('verifyLoan', { path: '/partner/pre-approve/T1/loan', form: [], status, answer: { error: { code } } })
const subscription = (fields: [string, string][]) =>
  call('subscribeWebhook', { form: [['url', 'https://a.example'], ...fields], status: 201 })
const signed = (signature: Partial<NonNullable<RecordedDelivery['signature']>>) =>
  delivery({ signature: { scheme: 'hmac', header: 'acme-signature', valid: false, ...signature } })
const LOAN = { state: 'VIGENTE', transferDate: '2026-03-01T10:00:00Z', installments: [{ state: 'PENDIENTE' }] }

test.each<[field: string, entries: Entry[], answer: string | undefined, lines: number[]]>([
  ['preApproveIdField', [evaluation({ preApproveId: ID })], 'preApproveId', [2]],
  ['preApproveIdField', [evaluation({ idPreAprobacion: ID })], 'idPreAprobacion', [2]],
  [
    'preApproveIdField',
    [evaluation({ folio: ID, other: 'x' }), call('select', { form: [['preApproveId', ID]] })],
    'folio',
    [2],
  ],
  [
    'preApproveIdField',
    [evaluation({ folio: ID }), call('getInforme', { path: `/partner/pre-approve/${ID}/informe` })],
    'folio',
    [2],
  ],
  ['preApproveIdField', [evaluation({ folio: ID })], undefined, []],
  ['steps', [call('select', { answer: { data: { step: 'READY_FOR_LOAN' } } })], 'READY_FOR_LOAN', [2]],
  ['steps', [call('select', { answer: { data: { step: '(text-8)' } } })], undefined, []],
  ['loanStates', [verified(LOAN), verified({ ...LOAN, state: 'PAGADO' })], 'VIGENTE,PAGADO', [2, 3]],
  ['installmentStates', [delivery({}, LOAN)], 'PENDIENTE', [2]],
  ['loanDates', [verified(LOAN)], 'date-time', [2]],
  ['loanDates', [delivery({}, { ...LOAN, transferDate: '2026-03-01' })], 'day', [2]],
  ['projectField', [subscription([['proyecto', 'P1']])], 'proyecto', [2]],
  [
    'projectField',
    [
      subscription([
        ['eventTypes[]', 'new_lead'],
        ['filters[outcome]', 'approved'],
      ]),
    ],
    undefined,
    [],
  ],
  ['bodies.eventTypes', [subscription([['eventTypes[]', 'a']])], 'brackets', [2]],
  ['bodies.eventTypes', [subscription([['eventTypes[0]', 'a']])], 'indexed', [2]],
  [
    'bodies.eventTypes',
    [
      subscription([
        ['eventTypes', 'a'],
        ['eventTypes', 'b'],
      ]),
    ],
    'repeated',
    [2],
  ],
  ['bodies.eventTypes', [subscription([['eventTypes', 'a,b']])], 'comma', [2]],
  ['bodies.subscription', [subscription([])], 'form', [2]],
  ['bodies.registration', [call('registerWebhook', { json: { url: 'x' }, status: 201 })], 'json', [2]],
  ['bodies.registration', [call('registerWebhook', { json: { url: 'x' }, status: 400 })], undefined, []],
  ['bodies.verification', [verified(LOAN)], 'form', [2]],
  ['notYet', [refused(404)], '404', [2]],
  ['notYet', [refused(409), verified(LOAN)], '409', [2]],
  ['notYet', [refused(422)], undefined, []],
  ['notYet', [refused(401), refused(429), verified(LOAN)], undefined, []],
  ['notYet', [verified(null), refused(404), refused(404)], '404,empty', [3, 2]],
  ['paths.leads', [call('listLeads', { path: '/v2/leads?page=1' })], '/v2/leads', [2]],
  ['paths.lead', [call('getLead', { path: `/v2/lead/${ID}` })], '/v2/lead/{leadId}', [2]],
  [
    'paths.evaluationByLead',
    [call('evaluationByLead', { path: `/partner/pre-approve/lead/${ID}` })],
    '/partner/pre-approve/lead/{leadId}',
    [2],
  ],
  ['paths.leads', [call('listLeads', { path: '/(text-8)/leads' })], undefined, []],
  [
    'paths.openInforme',
    [call('openInforme', { path: '/informe/x/(secret)', status: 302 })],
    '/informe/x/{signature}',
    [2],
  ],
  [
    'installmentOptions',
    [
      evaluation({ installmentOptions: [{ installments: 12 }, { installments: 3 }] }),
      evaluation({ installmentOptions: [{ installments: 6 }] }),
    ],
    '3,6,12',
    [2, 3],
  ],
  ['accepted', [call('startWidget', { answer: { data: { widgetToken: '(secret)' } } })], 'no', [2]],
  ['accepted', [call('startWidget', { answer: { data: { accepted: true, widgetToken: '(secret)' } } })], 'yes', [2]],
  ['validUntil', [call('startWidget', { answer: { widgetToken: '(secret)', validUntil: 1 } })], 'yes', [2]],
  ['wrongKeyStatus', [refused(401)], '401', [2]],
  ['wrongKeyStatus', [refused(403, 'ERR_INVALID_API_KEY')], '403', [2]],
  ['wrongKeyStatus', [refused(403, 'ERR_PARTNER_INACTIVE')], undefined, []],
  ['errorForm', [refused(404)], 'error', [2]],
  ['errorForm', [call('evaluate', { status: 422, answer: { code: 'ERR_X' } })], 'flat', [2]],
  ['errorForm', [call('evaluate', { status: 422, answer: { data: { status: 422 } } })], 'data', [2]],
  ['errorForm', [call('evaluate', { status: 422, text: 'ERR_X' })], 'text', [2]],
  ['retryAfter', [call('evaluate', { status: 429, headers: [['retry-after', '7']] })], 'seconds', [2]],
  [
    'retryAfter',
    [call('evaluate', { status: 429, headers: [['retry-after', 'Sun, 01 Mar 2026 12:01:00 GMT']] })],
    'date',
    [2],
  ],
  ['retryAfter', [call('evaluate', { status: 429 })], 'absent', [2]],
  [
    'signatureHeader',
    [signed({ algorithm: 'sha256', encoding: 'base64', bodyForm: 'as given' })],
    'acme-signature',
    [2],
  ],
  ['hmacEncoding', [signed({ algorithm: 'sha256', encoding: 'base64', bodyForm: 'as given' })], 'base64', [2]],
  ['hmacAlgorithm', [signed({ valid: true, algorithm: 'sha512', encoding: 'hex' })], 'sha512', [2]],
  ['hmacAlgorithm', [signed({})], undefined, []],
  ['tokenHeader', [delivery({ signature: { scheme: 'token', header: 'acme-token', valid: true } })], 'acme-token', [2]],
  ['deliveryType', [delivery()], 'application/json', [2]],
  [
    'deliveryRetries',
    [
      delivery({ response: { status: 500 }, ms: 0 }),
      delivery({ response: { status: 500 }, ms: 0, at: at(60) }),
      delivery({ at: at(360) }),
    ],
    '60s,300s',
    [2, 3, 4],
  ],
  ['deliveryRetries', [delivery(), delivery({ at: at(60) })], undefined, []],
  ['deliveryTimeout', [delivery({ cutMs: 3004, ms: 9000 })], '3s', [2]],
])('%s is learnt from the lines that show it', async (field, entries, answer, lines) => {
  using m = machine()
  recording(m, 'a.ndjson', entries)
  const { code, json } = await m.run('contract learn a.ndjson --json')
  expect(code).toBe(0)
  const found = json().find((each: any) => each.field === field)
  if (answer === undefined) return expect(found).toBeUndefined()
  expect(found).toEqual({
    field,
    gap: expect.toSatisfy((gap) => gap === null || Number.isInteger(gap)),
    answer,
    evidence: lines.map((line) => ({ file: 'a.ndjson', line })),
  })
})

test('the answer of most lines holds, over several files, and evidence names at most five lines', async () => {
  using m = machine()
  const json = () => call('registerWebhook', { json: { url: 'x' }, status: 201 })
  const form = () => call('registerWebhook', { form: [['url', 'x']], status: 201 })
  recording(m, 'a.ndjson', [json(), form(), form()])
  recording(m, 'b.ndjson', [form(), form(), form(), form()])
  const learnt = (await m.run('contract learn a.ndjson b.ndjson --json')).json()
  expect(learnt).toContainEqual({
    field: 'bodies.registration',
    gap: 10,
    answer: 'form',
    evidence: [
      { file: 'a.ndjson', line: 3 },
      { file: 'a.ndjson', line: 4 },
      { file: 'b.ndjson', line: 2 },
      { file: 'b.ndjson', line: 3 },
      { file: 'b.ndjson', line: 4 },
    ],
  })
})

test('--write makes the description of a service, which contract gaps prints; an existing file needs --force', async () => {
  using m = machine()
  recording(m, 'a.ndjson', [evaluation({ idPreAprobacion: ID }), signed({ algorithm: 'sha256', encoding: 'base64' })])
  const ran = await m.run('contract learn a.ndjson --write service.json', { columns: 200 })
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/1 +preApproveIdField .* idPreAprobacion +2\n/)])
  expect(ran.stderr).toContain('bnpl profiles set service service.json')
  expect(JSON.parse(readFileSync(join(m.dir, 'service.json'), 'utf8'))).toMatchObject({
    kind: 'bnpl service description',
    version: 1,
    fields: {
      preApproveIdField: { answer: 'idPreAprobacion', lines: [2] },
      hmacEncoding: { answer: 'base64', lines: [3] },
    },
  })
  const gaps = (await m.run('contract gaps --service service.json --json')).json()
  expect(gaps.filter(({ source }: any) => source.startsWith('learnt'))).toHaveLength(5)
  expect(gaps).toContainEqual({
    gap: 7,
    field: 'hmacEncoding',
    question: 'How is the signature of a delivery written?',
    answer: 'base64',
    source: 'learnt from line 3',
  })
  expect((await m.run('contract learn a.ndjson --write service.json')).code).toBe(2)
  expect((await m.run('contract learn a.ndjson --write service.json --force')).code).toBe(0)
})

test('a sandbox that follows what was learnt from a sandbox gives the same answers again', async () => {
  using m = machine()
  const fields = {
    preApproveIdField: 'folioId',
    accepted: 'no',
    validUntil: 'yes',
    loanDates: 'date-time',
    errorForm: 'flat',
    notYet: '409',
    installmentOptions: '2,5',
    wrongKeyStatus: '403',
    loanStates: 'VIGENTE',
  }
  const answers = Object.fromEntries(Object.entries(fields).map(([name, answer]) => [name, { answer }]))
  writeFileSync(
    join(m.dir, 'one.json'),
    JSON.stringify({ kind: 'bnpl service description', version: 1, fields: answers }),
  )
  await whileServed(
    m,
    async () => {
      const record = '-p sandbox --record day.ndjson'
      const evaluated = await m.run(`evaluate --rut 12345678-5 --amount 250000 --trx T1 ${record}`)
      expect([evaluated.code, evaluated.stderr]).toEqual([0, expect.any(String)])
      await m.run(`verify T1 ${record}`)
      await m.run(`select --trx T1 --installments 2 ${record}`)
      await m.run(`widget-token --trx T1 --amount 250000 --email a@example.com ${record}`)
      await m.run('sandbox pay T1')
      expect((await m.run(`verify T1 ${record}`)).code).toBe(0)
    },
    '--service one.json',
  )
  const learnt = (await m.run('contract learn day.ndjson --json')).json()
  const seen = Object.fromEntries(learnt.map(({ field, answer }: any) => [field, answer]))
  const { wrongKeyStatus: _, ...shown } = fields
  expect(seen).toMatchObject(shown)
})

test('recordings without a call or a delivery fail the check; a file that is no recording is a usage error', async () => {
  using m = machine()
  recording(m, 'empty.ndjson', [])
  writeFileSync(join(m.dir, 'other.txt'), 'hello\n')
  expect((await m.run('contract learn empty.ndjson')).code).toBe(10)
  expect((await m.run('contract learn other.txt')).code).toBe(2)
  expect((await m.run('contract learn empty.ndjson --write x.json')).code).toBe(10)
  expect(existsSync(join(m.dir, 'x.json'))).toBe(false)
})
