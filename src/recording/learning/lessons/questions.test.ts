import { expect, test } from 'vitest'
import { learnDay, type Row, refusals, success } from '../../../../test/recorded-day.ts'
import { PROFILE_SETTINGS } from '../../../profiles/profile.ts'
import { settingProblem } from '../../../profiles/settings.ts'

/** Each test changes a recorded service, and contains the expected answers to one gap. */

const answers = async (gap: number, change: (rows: Row[]) => Row[]) => {
  const { lessons } = await learnDay(change)
  return lessons.filter((each) => each.gap === gap).map(({ answer, setting }) => [answer, setting] as const)
}

const asked = (name: Row['name'], more: Partial<Row>) => (rows: Row[]) =>
  rows.map((row) =>
    row.name === name && (row.status ?? 200) < 300 ? { ...row, form: undefined, ...more } : row,
  ) as Row[]

const more =
  (...added: Row[]) =>
  (rows: Row[]) => [...rows, ...added]

const URL = 'https://host-1.example/(text-1)'
const SUBSCRIBE = { name: 'subscribeWebhook', path: '/partner/webhook/subscription' } as const
const EVALUATE = { name: 'evaluate', path: '/partner/pre-loan-request/bnpl' } as const

test.each<[gap: number, what: string, change: (rows: Row[]) => Row[], expected: unknown]>([
  [1, 'as the sandbox has it', (rows) => rows, [['data.preApproveId', null]]],
  [
    2,
    'two steps',
    success('select', ({ data }) => ({ data: { ...data, step: 'DISBURSEMENT' } })),
    [['DISBURSEMENT', null]],
  ],
  [
    8,
    'no secret in the answer',
    (rows) => rows.map((row) => (/registerW|subscribeW/.test(row.name) ? { ...row, body: { data: { id: 1 } } } : row)),
    [['not in the answer to the registration', null]],
  ],
  [
    9,
    'a project of another name, which is answered',
    asked('subscribeWebhook', {
      form: { url: URL, 'eventTypes[]': 'loan_approved', proyecto: 'P17' },
      body: { data: { id: 'x', eventTypes: ['loan_approved'], proyecto: 'P17' } },
    }),
    [['project in proyecto', { name: 'projectField', value: 'proyecto' }]],
  ],
  [
    9,
    'a field that is ignored is no project',
    asked('subscribeWebhook', { form: { url: URL, 'eventTypes[]': 'loan_approved', proyecto: 'P17' } }),
    [],
  ],
  [
    10,
    'a registration in JSON',
    asked('registerWebhook', { json: { url: URL } }),
    [
      ['registration: JSON', { name: 'bodies.registration', value: 'json' }],
      ['subscription: form', null],
      ['verification: no body', null],
    ],
  ],
  [18, 'as far as it was seen', (rows) => rows, [['accepted amounts: 250000; offered installments: 3', null]]],
  [
    19,
    'a currency',
    success('evaluate', ({ data }) => ({ data: { ...data, currency: 'CLP' } })),
    [['CLP', { name: 'currency', value: 'CLP' }]],
  ],
  [20, 'no body', success('deleteWebhook', () => undefined), [['200 without a body', null]]],
  [
    21,
    'a conflict',
    refusals(({ name }) => (name === 'verifyLoan' ? { status: 409 } : {})),
    [['409 ERR_LOAN_NOT_FOUND', { name: 'notYet', value: '409' }]],
  ],
  [
    21,
    'a status that can have another meaning counts, because the transaction was paid later',
    refusals(({ name }) => (name === 'verifyLoan' ? { status: 400 } : {})),
    [['400 ERR_LOAN_NOT_FOUND', { name: 'notYet', value: '400' }]],
  ],
  [
    21,
    'a status that can have another meaning does not count for a transaction that was never paid',
    (rows) =>
      rows.flatMap((row) => (row.name !== 'verifyLoan' ? row : row.status === 404 ? { ...row, status: 400 } : [])),
    [],
  ],
  [
    16,
    'a wrong key',
    refusals(({ status }) => (status === 401 ? { status: 403, body: { error: 'API_KEY_UNKNOWN' } } : {})),
    [['403 API_KEY_UNKNOWN', null]],
  ],
  [
    17,
    'a pause',
    more({ ...EVALUATE, status: 429, headers: [['retry-after', '30']], body: {} }),
    [['429 without a code, Retry-After: 30', null]],
  ],
  [26, 'a refusal', (rows) => rows, [['422 ERR_CUSTOMER_NOT_APPROVED', null]]],
  [
    27,
    'a list with commas',
    asked('subscribeWebhook', {
      form: { url: URL, eventTypes: 'new_lead,loan_approved' },
      body: { data: { eventTypes: ['new_lead', 'loan_approved'] } },
    }),
    [['comma', { name: 'bodies.eventTypes', value: 'comma' }]],
  ],
  [
    27,
    'a list that is accepted and not read',
    asked('subscribeWebhook', {
      form: { url: URL, eventTypes: 'new_lead,pre_approve' },
      body: { data: { eventTypes: [] } },
    }),
    [],
  ],
  [
    29,
    'a field that is missing',
    more({ ...EVALUATE, form: { amount: '1' }, status: 400, body: { code: 'BAD_BODY' } }),
    [['evaluate 400 BAD_BODY', null]],
  ],
  [
    36,
    'not https',
    more({
      ...SUBSCRIBE,
      form: { url: 'http://x.example', 'eventTypes[]': 'new_lead' },
      status: 422,
      body: { code: 'NO_TLS' },
    }),
    [['422 NO_TLS', null]],
  ],
  [
    43,
    'by its preApproveId',
    more({
      name: 'verifyLoan',
      path: '/partner/pre-approve/01a20295-9788-7000-b3ca-c4f42eb6e470/loan',
      body: { data: { loanAmount: 1, installments: [] } },
    }),
    [['yes', null]],
  ],
  [
    44,
    'ids that are numbers',
    success('listWebhooks', ({ data }) => ({ data: { items: data.map((row: object) => ({ ...row, id: 4 })) } })),
    [
      [
        'listWebhooks: the list is in data.items, the type of ids is number; listLeads: the list is in data, the type of ids is text',
        null,
      ],
    ],
  ],
  [
    25,
    'an opaque token',
    asked('startWidget', { form: { externalTrxId: 'T100' }, verdicts: { widgetToken: 'opaque, 43 characters' } }),
    [['opaque, 43 characters', null]],
  ],
])('gap %i: %s', async (gap, _, change, expected) => {
  expect(await answers(gap, change)).toEqual(expected)
})

test('every setting in a lesson is a profile setting with a valid value', async () => {
  const { lessons } = await learnDay()
  for (const { setting } of lessons)
    if (setting !== null) {
      const name = Object.keys(PROFILE_SETTINGS).find((each) => each === setting.name) as keyof typeof PROFILE_SETTINGS
      expect([setting, settingProblem(name, setting.value)]).toEqual([setting, undefined])
    }
})
