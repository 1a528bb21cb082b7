import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/kit/harness.ts'
import { EVENTS } from '../../contract/events.ts'
import type { Happening } from '../delivery.ts'
import type { Arrival, ForwardResult, Inbox } from '../inbox.ts'
import { createMetrics, LABELS, METRICS } from './metrics.ts'

interface Family {
  name: string
  help: string
  type: string
  metrics: { value?: string; labels?: Record<string, string>; count?: string; buckets?: Record<string, string> }[]
}

const parse: (text: string) => Family[] = createRequire(import.meta.url)('parse-prometheus-text-format')

type Backlog = Awaited<ReturnType<Inbox['backlog']>>

/** The metrics of a receiver at a known time, and a parser for their text format. */
function scene(backlog: () => Promise<Backlog> = async () => ({ waiting: 0, oldestAt: null }), isReady = true) {
  const slept: number[] = []
  const sleep = async (ms: number) => void slept.push(ms)
  const clock = { ...fakeClock(1_000_000), sleep }
  const metrics = createMetrics({ inbox: { backlog }, clock, version: '1.2.3', ready: () => isReady })
  const read = async () => {
    const families = parse((await metrics.text()).text)
    const family = (name: string) => families.find((each) => each.name === name)
    /** The series of a metric: its labels in one text, and its value. */
    const series = (name: string) =>
      Object.fromEntries(
        (family(name)?.metrics ?? []).map(({ labels = {}, value, count }) => [
          Object.values(labels).join(' '),
          Number(value ?? count),
        ]),
      )
    const positive = (name: string) => Object.fromEntries(Object.entries(series(name)).filter(([, value]) => value > 0))
    return { families, family, series, positive }
  }
  return { slept, metrics, read }
}

const arrival = (event: Arrival['event']): Arrival => ({
  destination: '/webhooks',
  scheme: 'hmac',
  eventId: 'e1',
  event,
  odd: null,
  body: Buffer.from('{}'),
  contentType: null,
  signature: null,
  receivedAt: 1000,
  forward: false,
})
const recorded = (
  event: Arrival['event'],
  fate: 'new' | 'duplicate' | 'variant' | 'quarantined',
  ms = 4,
): Happening => ({
  what: 'recorded',
  arrival: arrival(event),
  recorded: { fate, seq: 1 },
  ms,
})

test('the metrics are exactly the METRICS table, each metric with its help and its type', async () => {
  const { families } = await scene().read()
  const ours = families.filter(({ name }) => name.startsWith('bnpl_'))
  expect(Object.fromEntries(ours.map(({ name, help }) => [name, help]))).toEqual(METRICS)
  for (const { name, type } of ours) {
    const expected = /_(acknowledgement|forward)_seconds$/.test(name)
      ? 'HISTOGRAM'
      : name.endsWith('_total')
        ? 'COUNTER'
        : 'GAUGE'
    expect([name, type]).toEqual([name, expected])
  }
  expect(families.filter(({ name, type }) => name.endsWith('_total') && type !== 'COUNTER')).toEqual([])
  expect(families.map(({ name }) => name)).toContain('process_resident_memory_bytes')
})

test('every series of a counter exists from the start, at 0, so that it has a rate from the first event on', async () => {
  const { series } = await scene().read()
  const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]))
  expect(series('bnpl_receiver_refused_total')).toEqual(zeros(LABELS.reason))
  expect(series('bnpl_receiver_forwards_total')).toEqual(zeros(LABELS.result))
  expect(series('bnpl_receiver_recorded_total')).toEqual(
    zeros(Object.keys(EVENTS).flatMap((event) => ['new', 'duplicate', 'variant'].map((fate) => `${fate} ${event}`))),
  )
  expect(series('bnpl_build_info')).toEqual({ '1.2.3': 1 })
})

test('a recorded delivery counts as received, as verified, under its fate and event, and in the time histogram', async () => {
  const { metrics, read } = scene()
  metrics.observe(recorded('loan_approved', 'new', 4))
  metrics.observe(recorded('loan_approved', 'duplicate', 4))
  metrics.observe(recorded(null, 'quarantined', 2000))
  const { positive, series, family } = await read()
  expect(series('bnpl_receiver_received_total')).toEqual({ '': 3 })
  expect(series('bnpl_receiver_verified_total')).toEqual({ '': 3 })
  expect(positive('bnpl_receiver_recorded_total')).toEqual({
    'new loan_approved': 1,
    'duplicate loan_approved': 1,
    'quarantined unknown': 1,
  })
  expect(series('bnpl_receiver_unacknowledged_total')).toEqual({ '': 0 })
  expect(family('bnpl_receiver_acknowledgement_seconds')?.metrics[0]?.buckets).toEqual({
    '0.001': '0',
    '0.0025': '0',
    '0.005': '2',
    '0.01': '2',
    '0.025': '2',
    '0.05': '2',
    '0.1': '2',
    '0.25': '2',
    '0.5': '2',
    '1': '2',
    '2': '3',
    '3': '3',
    '+Inf': '3',
  })
})

test('a delivery that could not be stored counts as received and verified, and a failed write as a failure', async () => {
  const { metrics, read } = scene()
  metrics.observe({ what: 'unacknowledged', arrival: arrival('new_lead') })
  metrics.observe({ what: 'not-stored', error: new Error('no room') as never })
  const { series, positive } = await read()
  expect(series('bnpl_receiver_received_total')).toEqual({ '': 1 })
  expect(series('bnpl_receiver_verified_total')).toEqual({ '': 1 })
  expect(series('bnpl_receiver_unacknowledged_total')).toEqual({ '': 1 })
  expect(series('bnpl_receiver_inbox_failures_total')).toEqual({ '': 1 })
  expect(positive('bnpl_receiver_recorded_total')).toEqual({})
})

test.each<[Happening, string]>([
  [{ what: 'unverified', why: 'missing', from: 'canary' }, 'signature-missing'],
  [{ what: 'unverified', why: 'wrong', from: 'canary' }, 'signature-wrong'],
  [{ what: 'unverified', why: 'other-scheme', from: 'canary' }, 'other-scheme'],
  ...(
    [
      [400, 'malformed'],
      [404, 'path'],
      [405, 'method'],
      [408, 'slow'],
      [413, 'size'],
      [415, 'type'],
      [421, 'host'],
      [431, 'malformed'],
      [503, 'busy'],
    ] as const
  ).map(([status, reason]): [Happening, string] => [{ what: 'refused', status, from: 'canary' }, reason]),
])('a request that was refused counts as received, under its reason (%o)', async (happening, reason) => {
  const { metrics, read } = scene()
  metrics.observe(happening)
  const { series, positive } = await read()
  expect(positive('bnpl_receiver_refused_total')).toEqual({ [reason]: 1 })
  expect(series('bnpl_receiver_received_total')).toEqual({ '': 1 })
  expect(series('bnpl_receiver_verified_total')).toEqual({ '': 0 })
  expect((await metrics.text()).text).not.toContain('canary')
})

const attempt = (state: ForwardResult['state'], status: number | null): ForwardResult => ({
  seq: 1,
  receivedAt: 0,
  state,
  attempts: 1,
  status,
  error: null,
  ms: 400,
  at: 0,
})

test.each<[ForwardResult['state'], number | null, string]>([
  ['delivered', 200, 'delivered'],
  ['dead', 422, 'set-aside'],
  ['dead', null, 'set-aside'],
  ['retrying', 500, 'refused'],
  ['retrying', 503, 'away'],
  ['retrying', null, 'no-answer'],
])(
  'a forward attempt that is %s with %s counts as %s, and its time counts only if the handler answered',
  async (state, status, result) => {
    const { metrics, read } = scene()
    metrics.forwarded(attempt(state, status))
    const { positive, family } = await read()
    expect(positive('bnpl_receiver_forwards_total')).toEqual({ [result]: 1 })
    const [times] = family('bnpl_receiver_forward_seconds')?.metrics ?? []
    const answered = status === null ? '0' : '1'
    expect(times?.buckets).toEqual({
      '0.005': '0',
      '0.01': '0',
      '0.025': '0',
      '0.05': '0',
      '0.1': '0',
      '0.25': '0',
      '0.5': answered,
      '1': answered,
      '2.5': answered,
      '5': answered,
      '10': answered,
      '30': answered,
      '+Inf': answered,
    })
  },
)

test.each<[string, () => Promise<Backlog>, number, number]>([
  ['empty', async () => ({ waiting: 0, oldestAt: null }), 0, 0],
  ['of two events', async () => ({ waiting: 2, oldestAt: 1_000_000 - 2500 }), 2, 2.5],
  ['received under a clock that was put back', async () => ({ waiting: 1, oldestAt: 1_000_001 }), 1, 0],
  ['that cannot be read', () => Promise.reject(new Error('away')), Number.NaN, Number.NaN],
  ['that is not read in time', () => new Promise(() => {}), Number.NaN, Number.NaN],
])(
  'a backlog %s is reported with the age of its oldest event, and an unknown backlog is reported as NaN',
  async (_, backlog, waiting, age) => {
    const { read, slept } = scene(backlog)
    const { series } = await read()
    expect(series('bnpl_receiver_waiting_events')).toEqual({ '': waiting })
    expect(series('bnpl_receiver_oldest_waiting_seconds')).toEqual({ '': age })
    expect(slept).toEqual([1000])
  },
)

test.each([
  [true, 1],
  [false, 0],
])('readiness (%s) is reported as %i', async (isReady, value) => {
  const { read, metrics } = scene(undefined, isReady)
  expect((await read()).series('bnpl_receiver_ready')).toEqual({ '': value })
  expect((await metrics.text()).type).toMatch(/^text\/plain; version=0.0.4/)
})
