import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  at,
  day,
  field,
  ID,
  learnDay,
  type Row,
  read,
  refusals,
  renamed,
  success,
  TYPE,
} from '../../../test/recorded-day.ts'
import { SEED } from '../../../test/seed.ts'
import type { EndpointName } from '../../contract/endpoints.ts'
import { GAPS } from '../../contract/gaps.ts'
import { ENTRY, type Entry, type RecordedDelivery } from '../entries.ts'
import { type Learnt, learn } from './learn.ts'
import { QUESTIONS } from './lessons/questions.ts'

/** Each test changes a recorded service in one way, and says what must be learnt from it. */

test('no difference is learnt from a recording of the sandbox itself, and every fact is the same', async () => {
  const { manner, fidelity } = await learnDay()
  for (const { success: answer } of Object.values(manner.calls)) {
    expect(answer).not.toHaveProperty('names')
    expect(answer).not.toHaveProperty('types')
    expect(answer).not.toHaveProperty('words')
    expect(answer).not.toHaveProperty('more')
    expect(answer).not.toHaveProperty('fewer')
    expect(answer).not.toHaveProperty('list')
    expect(answer?.data).toEqual(['data'])
  }
  expect(manner.deliveries?.events).toEqual({ loan_approved: {}, new_lead: {}, pre_approve: {} })
  expect(fidelity.own.map(({ endpoint, same, facts }) => [endpoint, facts - same])).toEqual(
    fidelity.own.map(({ endpoint }) => [endpoint, 0]),
  )
  expect(fidelity.learnt).toEqual(fidelity.own)
})

const names = (name: EndpointName) => (learnt: Learnt) => learnt.manner.calls[name]?.success?.names
const answer = (name: EndpointName) => (learnt: Learnt) => learnt.manner.calls[name]?.success

test.each<[what: string, change: (rows: Row[]) => Row[], seen: (learnt: Learnt) => unknown, expected: unknown]>([
  [
    'the pre-approval id has a like name',
    field('evaluate', 'preApproveId', 'pre_approval_id'),
    names('evaluate'),
    { 'data.preApproveId': 'pre_approval_id' },
  ],
  [
    'the pre-approval id has a strange name',
    field('evaluate', 'preApproveId', 'folio'),
    names('evaluate'),
    { 'data.preApproveId': 'folio' },
  ],
  [
    'the options have a Spanish name',
    field('evaluate', 'installmentOptions', 'cuotas'),
    names('evaluate'),
    { 'data.installmentOptions': 'cuotas' },
  ],
  [
    'all fields of an option have other names',
    success('evaluate', ({ data }) => ({
      data: { ...data, installmentOptions: [{ cuotas: 3, valor: 86_503, total_a_pagar: 259_509 }] },
    })),
    names('evaluate'),
    {
      'data.installmentOptions.*.installments': 'cuotas',
      'data.installmentOptions.*.amount': 'valor',
      'data.installmentOptions.*.total': 'total_a_pagar',
    },
  ],
  [
    'the loan request has an id of another name',
    field('select', 'loanRequestId', 'requestRef'),
    names('select'),
    { 'data.loanRequestId': 'requestRef' },
  ],
  ['the step has another name', field('select', 'step', 'etapa'), names('select'), { 'data.step': 'etapa' }],
  [
    'the token has another name',
    field('startWidget', 'widgetToken', 'session'),
    names('startWidget'),
    { 'data.widgetToken': 'session' },
  ],
  [
    'the flag has another name',
    field('startWidget', 'accepted', 'ok'),
    names('startWidget'),
    { 'data.accepted': 'ok' },
  ],
  [
    'the amount of a loan',
    field('verifyLoan', 'loanAmount', 'monto_credito'),
    names('verifyLoan'),
    { 'data.loanAmount': 'monto_credito' },
  ],
  ['the state of a loan', field('verifyLoan', 'state', 'status'), names('verifyLoan'), { 'data.state': 'status' }],
  ['the rate', field('verifyLoan', 'interestRate', 'x'), names('verifyLoan'), { 'data.interestRate': 'x' }],
  [
    'the transaction',
    field('verifyLoan', 'externalTrxId', 'orderRef'),
    names('verifyLoan'),
    { 'data.externalTrxId': 'orderRef' },
  ],
  [
    'the id of a destination',
    field('listWebhooks', 'id', 'webhookId'),
    names('listWebhooks'),
    { 'data.*.id': 'webhookId' },
  ],
  [
    'the address of a destination',
    field('registerWebhook', 'url', 'endpoint'),
    names('registerWebhook'),
    { 'data.url': 'endpoint' },
  ],
  [
    'the secret of a destination',
    field('registerWebhook', 'secret', 'signingKey'),
    names('registerWebhook'),
    { 'data.secret': 'signingKey' },
  ],
  ['the link of a report', field('getInforme', 'url', 'href'), names('getInforme'), { 'data.url': 'href' }],
  [
    'the pre-approval of a lead',
    field('listLeads', 'idPreAprobacion', 'preApproval'),
    names('listLeads'),
    { 'data.*.idPreAprobacion': 'preApproval' },
  ],
  [
    'amounts are text',
    success('verifyLoan', ({ data }) => ({ data: { ...data, loanAmount: '250000' } })),
    (learnt) => answer('verifyLoan')(learnt)?.types,
    { 'data.loanAmount': 'text' },
  ],
  [
    'ids are numbers',
    success('listWebhooks', ({ data }) => ({ data: data.map((row: object) => ({ ...row, id: 17 })) })),
    (learnt) => answer('listWebhooks')(learnt)?.types,
    { 'data.*.id': 'number' },
  ],
  [
    'a state is another word',
    success('verifyLoan', ({ data }) => ({ data: { ...data, state: 'VIGENTE' } })),
    (learnt) => answer('verifyLoan')(learnt)?.words,
    { 'data.state': { ACTIVE: 'VIGENTE' } },
  ],
  [
    'there is one field more',
    success('select', ({ data }) => ({ data: { ...data, expiresAt: '2026-03-01T12:00:00Z' } })),
    (learnt) => answer('select')(learnt)?.more,
    { 'data.expiresAt': '2026-03-01T12:00:00Z' },
  ],
  [
    'there is one field less',
    success('registerWebhook', ({ data: { createdAt: _, ...data } }) => ({ data })),
    (learnt) => answer('registerWebhook')(learnt)?.fewer,
    ['data.createdAt'],
  ],
  ['there is no envelope', success('evaluate', ({ data }) => data), (learnt) => answer('evaluate')(learnt)?.data, []],
  [
    'the envelope has another name',
    success('verifyLoan', ({ data }) => ({ result: data })),
    (learnt) => answer('verifyLoan')(learnt)?.data,
    ['result'],
  ],
  [
    'there are two envelopes',
    success('getInforme', ({ data }) => ({ data: { report: data } })),
    (learnt) => answer('getInforme')(learnt)?.data,
    ['data', 'report'],
  ],
  [
    'something is beside data',
    success('select', ({ data }) => ({ data, meta: { took: 3 } })),
    (learnt) => answer('select')(learnt)?.more,
    { meta: { took: 3 } },
  ],
  [
    'a list is in items, with a page',
    success('listLeads', ({ data }) => ({ data: { items: data, page: 1, total: 1 } })),
    (learnt) => [answer('listLeads')(learnt)?.data, answer('listLeads')(learnt)?.list],
    [['data'], { at: ['items'], beside: { page: 1, total: 1 } }],
  ],
  [
    'a list is the body',
    success('listWebhooks', ({ data }) => data),
    (learnt) => answer('listWebhooks')(learnt)?.data,
    [],
  ],
  [
    'a deletion has no body',
    success('deleteWebhook', () => undefined),
    (learnt) => answer('deleteWebhook')(learnt)?.isEmpty,
    true,
  ],
  [
    'successes have another status',
    (rows) => rows.map((row) => (row.name === 'evaluate' && row.status === undefined ? { ...row, status: 201 } : row)),
    (learnt) => answer('evaluate')(learnt)?.status,
    201,
  ],
  [
    'answers have another type',
    (rows) => rows.map((row) => ({ ...row, type: 'application/vnd.api+json' })),
    (learnt) => answer('select')(learnt)?.contentType,
    'application/vnd.api+json',
  ],
  [
    'a missing loan is a conflict, with a body of its own',
    refusals(({ name }) =>
      name === 'verifyLoan' ? { status: 409, body: { code: 'NO_LOAN', title: 'no loan yet' } } : {},
    ),
    (learnt) => learnt.manner.calls.verifyLoan?.refusals?.['404 ERR_LOAN_NOT_FOUND'],
    { status: 409, contentType: TYPE, code: 'NO_LOAN', body: { code: '$code', title: '$message' } },
  ],
  [
    'a missing loan is a success with nothing in it',
    refusals(({ name }) => (name === 'verifyLoan' ? { status: 200, body: { data: null } } : {})),
    (learnt) => learnt.manner.calls.verifyLoan?.refusals?.['404 ERR_LOAN_NOT_FOUND'],
    { status: 200, contentType: TYPE, body: { data: null } },
  ],
  [
    'a wrong key is 403',
    refusals(({ status }) => (status === 401 ? { status: 403, body: { errors: [{ code: 'API_KEY_INVALID' }] } } : {})),
    (learnt) => learnt.manner.calls.listWebhooks?.refusals?.['401 ERR_UNAUTHORIZED'],
    { status: 403, contentType: TYPE, code: 'API_KEY_INVALID', body: { errors: [{ code: '$code' }] } },
  ],
  [
    'a customer is refused with no options',
    (rows) =>
      rows.map((row) =>
        row.status === 422 ? { ...row, status: 200, body: { data: { installmentOptions: [] } } } : row,
      ),
    (learnt) => learnt.manner.calls.evaluate?.refusals?.['422 ERR_CUSTOMER_NOT_APPROVED']?.status,
    200,
  ],
])('a change of the service is found: %s', async (_, change, seen, expected) => {
  const learnt = await learnDay(change)
  expect(seen(learnt)).toEqual(expected)
  // A sandbox that imitates the learnt behaviour shows every fact of the service, and no other fact.
  expect(learnt.fidelity.learnt.filter(({ facts, same }) => facts !== same)).toEqual([])
  expect(learnt.fidelity.own.some(({ facts, same }) => facts !== same)).toBe(true)
})

describe('deliveries', () => {
  const with_ = (change: (given: RecordedDelivery) => RecordedDelivery) =>
    learnDay(undefined, (given) => given.map(change))
  const signedBy = (more: object) => (given: RecordedDelivery) =>
    given.signature?.scheme === 'hmac' ? { ...given, signature: { ...given.signature, ...more } } : given

  test('are learnt with their waits, from the end of an attempt to the next one', async () => {
    const { manner, lessons } = await learnDay()
    expect(manner.deliveries?.retriesMs).toEqual([4990, 29_990])
    const of = (gap: number) => lessons.filter((each) => each.gap === gap).map(({ answer: said }) => said)
    expect(of(12)).toEqual(['at least 3 attempts, with waits of 5.0 s, 30 s'])
    expect(of(47)).toEqual(['sent again after the answers 503; not sent again after the answers 200'])
  })

  test('with another signature algorithm and encoding are learnt as profile settings', async () => {
    const { manner, lessons } = await with_(signedBy({ algorithm: 'sha512', encoding: 'base64' }))
    expect(manner.deliveries?.signature).toMatchObject({ algorithm: 'sha512', encoding: 'base64' })
    expect(lessons.flatMap(({ setting }) => setting ?? [])).toEqual(
      expect.arrayContaining([
        { name: 'hmacAlgorithm', value: 'sha512' },
        { name: 'hmacEncoding', value: 'base64' },
      ]),
    )
  })

  test('with another signature header and a prefix are learnt', async () => {
    const { manner } = await with_((given) =>
      given.signature?.scheme === 'hmac'
        ? {
            ...given,
            request: { ...given.request, headers: [['x-signature', 'sha256=(secret)']] },
            signature: { ...given.signature, header: 'x-signature' },
          }
        : given,
    )
    expect(manner.deliveries?.signature).toEqual({
      header: 'x-signature',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: 'sha256=',
    })
  })

  test('with other field names and types, in the envelope and in data, are learnt', async () => {
    const { manner } = await with_((given) => {
      const { eventId, data } = (given.request.body as { json: { eventId: string; data: Record<string, unknown> } })
        .json
      const body = { json: { id: 17, data: renamed(data, 'preApproveId', 'preApproval'), eventIdText: eventId } }
      return { ...given, request: { ...given.request, body } }
    })
    expect(manner.deliveries?.events?.loan_approved?.names).toEqual({ 'data.preApproveId': 'preApproval' })
    expect(manner.deliveries?.names).toEqual({ eventId: 'eventIdText' })
    expect(manner.deliveries?.more).toEqual({ id: 17 })
  })
})

test('a recorded day answers most gaps, and each answer has lines of evidence', async () => {
  const { lessons, unanswered } = await learnDay()
  const answered = new Set(lessons.map(({ gap }) => gap))
  expect(answered.size).toBeGreaterThanOrEqual(27)
  for (const { evidence, answer: said } of lessons) {
    expect(evidence.length).toBeGreaterThan(0)
    expect(said).not.toBe('')
  }
  expect([...answered, ...unanswered.map(({ gap }) => gap)].sort((a, b) => a - b)).toEqual(
    GAPS.map(({ number }) => number),
  )
})

test('each gap has a question, and either a command or the reason why no recording answers the gap', () => {
  for (const asked of Object.values(QUESTIONS)) {
    expect(asked.question).toMatch(/^[A-Z].*\?$/)
    expect('find' in asked ? asked.command : asked.why).not.toBe('')
  }
})

test('every entry that the format accepts can be learnt from', async () => {
  const names = fc.constantFrom(
    'data',
    'preApproveId',
    'installmentOptions',
    'eventId',
    'error',
    'code',
    '__proto__',
    'constructor',
    'x',
    '',
  )
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        null,
        true,
        0,
        1,
        -1,
        0.5,
        1e308,
        '',
        'ACTIVE',
        '(secret)',
        '(text-16)',
        ID,
        '2026-03-01',
        '1e999',
        'ERR_X',
        '\ud800',
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  })).value
  const pairs = fc.array(
    fc.tuple(
      fc.oneof(
        names,
        fc.constantFrom(
          'content-type',
          'retry-after',
          'authorization',
          'x-ratelimit-limit',
          'filters[a]',
          'eventTypes[0]',
        ),
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 4 },
  )
  const body = fc.oneof(
    json.map((value) => ({ json: value })),
    pairs.map((form) => ({ form })),
    fc.string().map((text) => ({ text })),
    fc.constant({ omitted: 'pdf' as const, bytes: 3 }),
  )
  const paths = fc.oneof(
    fc.constantFrom(
      ...day().map(({ path }) => path),
      '/x/%zz',
      'https://s.example/a.pdf',
      '/partner/informe/(secret)',
      '',
    ),
    fc.webPath(),
  )
  const request = fc.record(
    { method: fc.constantFrom('GET', 'POST', 'DELETE', 'OTHER'), path: paths, headers: pairs, body },
    { requiredKeys: ['method', 'path', 'headers'] },
  )
  const status = fc.constantFrom(100, 200, 201, 204, 302, 400, 401, 404, 409, 422, 429, 500, 503, 999)
  const common = {
    v: fc.constant(1 as const),
    session: fc.string({ maxLength: 3 }),
    at: fc.constantFrom(at(1), at(-1), '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z'),
    request,
    ms: fc.double({ noNaN: true, min: 0, max: 7 * 86_400_000 }),
  }
  const exchange = fc.record(
    {
      kind: fc.constant('exchange' as const),
      ...common,
      by: fc.constantFrom('client' as const, 'proxy' as const),
      endpoint: fc.constantFrom(...day().map(({ name }) => name), 'unheard', 'constructor'),
      response: fc.record({ status, headers: pairs, body }, { requiredKeys: ['status', 'headers'] }),
      ended: fc.constant('timeout'),
      verdicts: fc.dictionary(fc.constantFrom('widgetToken', 'widgetTokenSeconds'), fc.constantFrom('JWT', 600, true)),
    },
    { requiredKeys: ['kind', 'v', 'session', 'at', 'request', 'ms', 'by'] },
  )
  const signature = fc.record(
    {
      scheme: fc.constantFrom('hmac' as const, 'token' as const),
      valid: fc.boolean(),
      header: names,
      algorithm: fc.string({ maxLength: 6 }),
      encoding: fc.string({ maxLength: 6 }),
    },
    { requiredKeys: ['scheme', 'valid'] },
  )
  const delivery = fc.record(
    { kind: fc.constant('delivery' as const), ...common, response: fc.record({ status }), signature },
    { requiredKeys: ['kind', 'v', 'session', 'at', 'request', 'ms', 'response'] },
  )
  const entry: fc.Arbitrary<Entry> = fc.oneof(exchange, delivery)
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
      for (const each of entries) expect(ENTRY.safeParse(each).success).toBe(true)
      const { lessons, unanswered, manner } = await learn(read(entries))
      expect(new Set([...lessons, ...unanswered].map(({ gap }) => gap)).size).toBe(GAPS.length)
      expect(() => JSON.stringify([lessons, manner])).not.toThrow()
    }),
    { seed: SEED, numRuns: 40 },
  )
})
