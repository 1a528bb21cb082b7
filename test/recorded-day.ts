import type { EndpointName } from '../src/contract/endpoints.ts'
import type { Entry, RecordedDelivery, RecordedExchange } from '../src/recording/entries.ts'
import { type Learnt, learn } from '../src/recording/learning/learn.ts'
import { DELIVERED, SPECIMENS } from '../src/recording/learning/specimens.ts'

/** The recording of a day with a service that answers as the sandbox does, or with a change. */

export const ID = '01a20295-9788-7000-b3ca-c4f42eb6e470'
export const TYPE = 'application/json; charset=utf-8'
const KEY: [string, string] = ['authorization', 'Bearer (secret)']

export interface Row {
  name: EndpointName
  method?: string
  path: string
  form?: Record<string, string>
  json?: unknown
  status?: number
  body?: unknown
  type?: string
  headers?: [string, string][]
  verdicts?: RecordedExchange['verdicts']
}

const refusal = (code: string) => ({ error: { code, message: '(text-32)' } })
const EVALUATE = { idNumber: '42500048-9', amount: '250000', entityId: ID, externalTrxId: 'T100' }

/** Returns one payment, one registration, one report and a few refusals, as the sandbox answers them. */
export const day = (): Row[] => [
  { name: 'evaluate', path: '/partner/pre-loan-request/bnpl', form: EVALUATE, body: { data: SPECIMENS.evaluate } },
  {
    name: 'select',
    path: '/partner/pre-loan-request/loan-request',
    form: { preApproveId: ID, installmentOption: '3', externalTrxId: 'T100', amount: '250000' },
    body: { data: SPECIMENS.select },
  },
  {
    name: 'startWidget',
    path: '/partner/widget/start',
    form: { amount: '250000', externalTrxId: 'T100', entityId: ID, email: 'persona-1@example.com' },
    body: { data: SPECIMENS.startWidget },
    verdicts: { widgetToken: 'JWT, HS256', widgetTokenSeconds: 600 },
  },
  { name: 'verifyLoan', path: '/partner/pre-approve/T100/loan', status: 404, body: refusal('ERR_LOAN_NOT_FOUND') },
  { name: 'verifyLoan', path: '/partner/pre-approve/T100/loan', body: { data: SPECIMENS.verifyLoan } },
  {
    name: 'registerWebhook',
    path: '/partner/webhook',
    form: { url: 'https://host-1.example/(text-1)' },
    status: 201,
    body: { data: SPECIMENS.registerWebhook },
  },
  {
    name: 'subscribeWebhook',
    path: '/partner/webhook/subscription',
    form: { url: 'https://host-1.example/(text-1)', 'eventTypes[]': 'loan_approved', 'filters[outcome]': 'approved' },
    status: 201,
    body: { data: SPECIMENS.subscribeWebhook },
  },
  { name: 'listWebhooks', method: 'GET', path: '/partner/webhook', body: { data: SPECIMENS.listWebhooks } },
  { name: 'deleteWebhook', method: 'DELETE', path: `/partner/webhook/${ID.replace(/0$/, '4')}`, body: { data: {} } },
  {
    name: 'getInforme',
    method: 'GET',
    path: `/partner/pre-approve/${ID}/informe`,
    body: { data: SPECIMENS.getInforme },
  },
  { name: 'listLeads', method: 'GET', path: '/partner/leads', body: { data: SPECIMENS.listLeads } },
  {
    name: 'getLead',
    method: 'GET',
    path: `/partner/leads/${ID.replace(/0$/, '1')}`,
    body: { data: SPECIMENS.getLead },
  },
  {
    name: 'evaluationByLead',
    method: 'GET',
    path: `/partner/pre-approve/lead/${ID.replace(/0$/, '1')}`,
    body: { data: SPECIMENS.evaluationByLead },
  },
  { name: 'listWebhooks', method: 'GET', path: '/partner/webhook', status: 401, body: refusal('ERR_UNAUTHORIZED') },
  {
    name: 'evaluate',
    path: '/partner/pre-loan-request/bnpl',
    form: { ...EVALUATE, externalTrxId: 'T101' },
    status: 422,
    body: refusal('ERR_CUSTOMER_NOT_APPROVED'),
  },
]

export const at = (second: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + second * 1000).toISOString()

function entryOf({ name, method = 'POST', path, form, json, status = 200, body, ...row }: Row, i: number): Entry {
  const sent = form ? { form: Object.entries(form) } : json === undefined ? undefined : { json }
  return {
    kind: 'exchange',
    v: 1,
    session: 's',
    at: at(i),
    by: 'client',
    endpoint: name,
    request: { method, path, headers: [KEY], ...(sent && { body: sent }) },
    response: {
      status,
      headers: [['content-type', row.type ?? TYPE], ...(row.headers ?? [])],
      ...(body !== undefined && { body: { json: body } }),
    },
    ms: 5,
    ...(row.verdicts && { verdicts: row.verdicts }),
  }
}

function deliveries(): RecordedDelivery[] {
  const of = (body: unknown, i: number, signature: RecordedDelivery['signature'], status = 200): RecordedDelivery => ({
    kind: 'delivery',
    v: 1,
    session: 's',
    at: at(100 + i),
    request: {
      method: 'POST',
      path: '/hook',
      headers: [
        ['content-type', 'application/json'],
        [signature?.header ?? '', '(secret)'],
      ],
      body: { json: body },
    },
    response: { status },
    ms: 10,
    ...(signature && { signature }),
  })
  const hmac = { scheme: 'hmac', valid: true, header: 'service-signature', bodyForm: 'as given' } as const
  const token = { scheme: 'token', valid: true, header: 'service-webhook-secret' } as const
  const signed = { ...hmac, algorithm: 'sha256', encoding: 'hex' }
  return [
    of(DELIVERED.loan_approved, 0, signed, 503),
    of(DELIVERED.loan_approved, 5, signed, 503),
    of(DELIVERED.loan_approved, 35, signed),
    of({ ...DELIVERED.new_lead, eventId: 'e2' }, 40, token),
    of({ ...DELIVERED.pre_approve, eventId: 'e3' }, 41, token),
  ]
}

export const read = (entries: readonly Entry[]) =>
  entries.map((entry, i) => ({ entry, file: 'day.ndjson', line: i + 1 }))

/** Returns what the learner finds in the day after a change of the service. */
export async function learnDay(
  change: (rows: Row[]) => Row[] = (rows) => rows,
  changeDeliveries: (given: RecordedDelivery[]) => RecordedDelivery[] = (given) => given,
): Promise<Learnt> {
  const rows = change(structuredClone(day()))
  return learn(read([...rows.map(entryOf), ...changeDeliveries(structuredClone(deliveries()))]))
}

/** Returns a change of a call's successes. */
export const success = (name: EndpointName, change: (body: any, row: Row) => unknown) => (rows: Row[]) =>
  rows.map((row) => (row.name === name && (row.status ?? 200) < 300 ? { ...row, body: change(row.body, row) } : row))
/** Returns a change of all refusals. */
export const refusals = (change: (row: Row) => Partial<Row>) => (rows: Row[]) =>
  rows.map((row) => ((row.status ?? 200) >= 400 ? { ...row, ...change(row) } : row))

export const renamed = (record: Record<string, unknown>, from: string, to: string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name === from ? to : name, value]))

/** Returns a change that gives a field of `data` another name. */
export const field = (name: EndpointName, from: string, to: string) =>
  success(name, ({ data }) => ({
    data: Array.isArray(data) ? data.map((row) => renamed(row, from, to)) : renamed(data, from, to),
  }))
