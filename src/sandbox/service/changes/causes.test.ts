import { expect, test } from 'vitest'
import type { Contents } from '../../store/contents.ts'
import { toJsonColumn } from '../../store/json-column.ts'
import type { Change } from './cause.ts'
import { causesOf as find } from './causes.ts'
import { difference } from './difference.ts'

const SHOP = { id: 'p1', name: 'Shop' }
const EMPTY: Contents = {
  aheadMs: 0,
  steps: '[5000]',
  accounts: [SHOP],
  evaluations: [],
  selections: [],
  tokens: [],
  loans: [],
  destinations: [],
  leads: [],
  events: [],
  deliveries: [],
  attempts: [],
  faults: [],
  requests: [],
}

const AT = ['10:00', '10:01', '10:02', '10:03', '10:04'].map((time) => `2026-03-01T${time}:00.000Z`) as [
  string,
  string,
  string,
  string,
  string,
]

const evaluation = (id: string, externalTrxId: string, createdAt = AT[0]): Contents['evaluations'][number] => ({
  id,
  partnerId: 'p1',
  leadId: null,
  externalTrxId,
  idNumber: '12345678-5',
  amount: 250_000,
  outcome: 'approved',
  details: toJsonColumn({ puntajeRiesgo: 500 }),
  createdAt,
})

const request = (id: string, at: string, path: string, externalTrxId?: string): Contents['requests'][number] => ({
  id,
  at,
  partner: 'Shop',
  method: path.startsWith('DELETE') ? 'DELETE' : 'POST',
  path: path.replace('DELETE ', ''),
  status: 200,
  requestBody: externalTrxId === undefined ? null : JSON.stringify({ externalTrxId }),
  fault: null,
})

const token: Contents['tokens'][number] = {
  id: 't1',
  partnerId: 'p1',
  externalTrxId: 'T1',
  amount: 250_000,
  createdAt: AT[1],
  expiresAt: AT[4],
  endedAt: null,
  outcome: null,
}

const loan: Contents['loans'][number] = {
  id: 'l1',
  partnerId: 'p1',
  externalTrxId: 'T1',
  preApproveId: 'e1',
  loanAmount: 250_000,
  periods: 6,
  createdAt: AT[2],
  verifiedAt: null,
}

const destination: Contents['destinations'][number] = {
  id: 'w1',
  partnerId: 'p1',
  url: 'https://shop.example/hook',
  eventTypes: toJsonColumn(['loan_approved']),
  filters: null,
  projectId: null,
  createdAt: AT[0],
  isListener: 0,
}

const event = { id: 'v1', partnerId: 'p1', type: 'loan_approved', subject: 'T1', createdAt: AT[2] } as const
const delivery: Contents['deliveries'][number] = {
  id: 'd1',
  eventId: 'v1',
  webhookId: 'w1',
  partnerId: 'p1',
  type: 'loan_approved',
  state: 'delivered',
  createdAt: AT[2],
  fault: null,
}
const attempt = (id: string, at: string, status: number, chaos: string | null = null) => ({
  id,
  deliveryId: 'd1',
  number: 1,
  at,
  status,
  error: null,
  chaos,
})

const EVALUATE = '/partner/pre-loan-request/bnpl'

/** Returns the causes with descriptions of their changes. */
const causesOf = (before: Contents, after: Contents) =>
  find(before, after, new Map()).map((cause) => ({ ...cause, changes: cause.changes.map((describe) => describe()) }))

/** Returns the causes as short texts, such as `request r1: + evaluation T1`. */
const short = (before: Contents, after: Contents) =>
  causesOf(before, after).map(({ id, changes }) => `${id}: ${changes.map(inShort).join(', ')}`)

const SIGNS = { came: '+', changed: '~', went: '-' }

const inShort = ({ kind, how, fields }: Change) =>
  [
    SIGNS[how],
    kind,
    ...(how === 'changed' ? fields.map((each) => `${each.name} ${each.before}>${each.after}`) : []),
  ].join(' ')

test('rows are compared by their ids, whatever their order', () => {
  const row = (id: string, state: string) => ({ id, state })
  const [a, b, c, changed] = [row('a', '1'), row('b', '1'), row('c', '1'), row('b', '2')]
  expect(difference([a, b], [c, changed])).toEqual({ came: [c], changed: [{ before: b, after: changed }], went: [a] })
  expect(difference([a, b], [{ ...b }, { ...a }])).toEqual({ came: [], changed: [], went: [] })
})

test('each change of a payment is listed under its request or its customer, the latest first', () => {
  const before = { ...EMPTY, destinations: [destination] }
  const after: Contents = {
    ...before,
    evaluations: [evaluation('e1', 'T1')],
    tokens: [{ ...token, endedAt: AT[2], outcome: 'paid' }],
    loans: [{ ...loan, verifiedAt: AT[3] }],
    events: [event],
    deliveries: [delivery],
    attempts: [attempt('a1', AT[3], 503), attempt('a2', AT[4], 200)],
    requests: [
      request('r1', AT[0], EVALUATE, 'T1'),
      request('r2', AT[1], '/partner/widget/start', 'T1'),
      request('r3', AT[3], '/partner/pre-approve/T1/loan'),
      request('r4', AT[4], '/partner/pre-approve/T1/loan'),
    ],
  }
  expect(short(before, after)).toEqual([
    'r4: ',
    `r3: ~ loan verifiedAt null>${AT[3]}`,
    'customer:t1: ~ token outcome null>paid, + loan, + event, + delivery',
    'r2: + token',
    'r1: + evaluation',
  ])
  const [, , paid] = causesOf(before, after)
  expect(paid).toMatchObject({ by: 'customer', at: AT[2], account: 'Shop', about: 'T1' })
  expect(paid?.changes.at(-1)).toMatchObject({ about: destination.url })
  expect(paid?.changes.at(-1)?.fields).toContainEqual({ name: 'answers', before: null, after: '503, 200' })
})

test('two requests of one millisecond each get the row of their own transaction', () => {
  const after = {
    ...EMPTY,
    evaluations: [evaluation('e2', 'T2'), evaluation('e1', 'T1'), evaluation('e3', 'T1')],
    requests: [
      request('r1', AT[0], EVALUATE, 'T1'),
      request('r2', AT[0], EVALUATE, 'T2'),
      request('r3', AT[0], EVALUATE, 'T1'),
    ],
  }
  expect(short(EMPTY, after)).toEqual(['r3: + evaluation', 'r2: + evaluation', 'r1: + evaluation'])
})

test('a change is unknown when no request fits, or when several do', () => {
  const after = {
    ...EMPTY,
    evaluations: [evaluation('e1', 'T1')],
    requests: [request('r1', AT[0], EVALUATE, '••••'), request('r2', AT[0], EVALUATE, '••••')],
  }
  expect(short(EMPTY, after)).toEqual(['unknown:all: + evaluation', 'r2: ', 'r1: '])
  expect(short(EMPTY, { ...after, requests: after.requests.slice(0, 1) })).toEqual(['r1: + evaluation'])
  expect(short(EMPTY, { ...after, requests: [] })).toEqual(['unknown:all: + evaluation'])
})

test('a deletion of a destination includes its cancelled deliveries, and a retry is a separate cause', () => {
  const waiting = { ...delivery, state: 'pending' as const }
  const before = { ...EMPTY, destinations: [destination], events: [event], deliveries: [waiting] }
  const gone = {
    ...before,
    destinations: [],
    deliveries: [{ ...waiting, state: 'cancelled' as const }],
    requests: [request('r1', AT[3], 'DELETE /partner/webhook/w1')],
  }
  expect(short(before, gone)).toEqual(['r1: - destination, ~ delivery state pending>cancelled'])
  const tried = { ...before, deliveries: [delivery], attempts: [attempt('a1', AT[3], 200)] }
  expect(short(before, tried)).toEqual(['delivery:d1: ~ delivery state pending>delivered answers null>200'])
  const again = { ...tried, attempts: [...tried.attempts, attempt('a2', AT[4], 500, 'again')] }
  expect(short(tried, again)).toEqual(['control:d1: ~ delivery answers null>500 (again)'])
})

test('changes of leads, parameters, the clock, waits, names and faults are listed under control actions', () => {
  const fault: Contents['faults'][number] = {
    id: 'f1',
    endpoint: 'verifyLoan',
    skip: 0,
    times: 2,
    harm: toJsonColumn({
      kind: null,
      delayMs: 0,
      status: 503,
      code: null,
      retryAfter: null,
      cut: false,
      before: false,
      truncate: null,
    }),
    createdAt: AT[1],
  }
  const lead = {
    id: 'L1',
    partnerId: 'p1',
    idNumber: '12345678-5',
    projectId: null,
    outcome: 'approved',
    createdAt: AT[0],
    preApproveId: null,
  } as const
  const before = { ...EMPTY, evaluations: [evaluation('e1', 'T1')] }
  const after: Contents = {
    ...before,
    aheadMs: 660_000,
    steps: '[1000,2000]',
    accounts: [{ id: 'p1', name: 'Store' }],
    evaluations: [{ ...evaluation('e1', 'T1'), details: toJsonColumn({ puntajeRiesgo: 312 }) }],
    leads: [lead],
    faults: [fault],
  }
  expect(short(before, after).sort()).toEqual([
    'control:account p1: ~ account name Shop>Store',
    'control:clock: ~ clock aheadMs 0>660000',
    'control:fault f1: + fault',
    'control:lead L1: + lead',
    'control:retries: ~ retries waits 5s>1s,2s',
    'control:revise e1: ~ evaluation puntajeRiesgo 500>312',
  ])
  const evaluated: Contents = {
    ...after,
    leads: [{ ...lead, preApproveId: 'e9' }],
    evaluations: [...after.evaluations, { ...evaluation('e9', 'T1', AT[4]), externalTrxId: null, leadId: 'L1' }],
    events: [{ ...event, type: 'pre_approve', subject: 'L1' }],
    faults: [{ ...fault, times: 1 }],
    requests: [
      { ...request('r1', AT[3], '/partner/pre-approve/T1/loan'), partner: 'Store', status: 503, fault: fault.harm },
    ],
  }
  expect(short(after, evaluated)).toEqual(['time:L1: + evaluation, + event', 'r1: ~ fault times 2>1'])
  // No request met the fault, so it was disarmed. For a fault of the page, the log shows neither requests nor disarming.
  expect(short(after, { ...after, faults: [] })).toEqual(['control:disarmed f1: - fault'])
  const ofPage: Contents = { ...after, faults: [{ ...fault, endpoint: 'page' }] }
  expect(short(ofPage, { ...after, faults: [] })).toEqual(['unknown:all: - fault'])
  expect(JSON.stringify(causesOf(before, evaluated))).not.toContain('12345678')
})

test('deletions that only a reset or a loaded snapshot can make are listed under the state cause', () => {
  const before = {
    ...EMPTY,
    aheadMs: 5,
    evaluations: [evaluation('e1', 'T1')],
    tokens: [token],
    destinations: [destination],
  }
  expect(short(before, EMPTY)).toEqual(['state:all: - destination, ~ clock aheadMs 5>0, - evaluation, - token'])
})
