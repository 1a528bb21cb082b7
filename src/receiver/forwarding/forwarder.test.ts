import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/kit/harness.ts'
import { type Transport, WireFailure } from '../../contract/wire.ts'
import type { ForwardResult, StoredEvent } from '../inbox.ts'
import { CHUNK, FORWARD_PAUSES, type ForwarderOptions, type NextAttempt, startForwarder } from './forwarder.ts'

const DAY_MS = 86_400_000

const event = (seq: number, more: Partial<StoredEvent> = {}): StoredEvent => ({
  seq,
  place: seq,
  fate: 'new',
  variantOf: null,
  confirmation: null,
  destination: '/webhooks',
  scheme: 'hmac',
  eventId: `e${seq}`,
  event: 'loan_approved',
  odd: null,
  body: Buffer.from('{}'),
  contentType: 'application/json',
  signature: 'aa',
  receivedAt: 0,
  forwarding: { state: 'waiting', attempts: 0, status: null, error: null, answer: null, ms: null },
  ...more,
})

type Answer = { status: number; headers?: Record<string, string>; body?: Uint8Array } | WireFailure

interface Scene {
  events?: readonly StoredEvent[]
  shared?: boolean
  attempts?: number
  /** The handler's answer to an event at a time (fake ms since the start). */
  answer: (eventId: string, at: number) => Answer
}

/** A forwarder with an inbox in memory. Its clock advances only when the forwarder waits. */
async function forwarding({ events = [event(1)], shared = false, attempts = 8, answer }: Scene) {
  const clock = fakeClock()
  const started = clock.now()
  const handed: { id: string; at: number; attempt: string }[] = []
  const results: { result: ForwardResult; next: NextAttempt | undefined }[] = []
  const settled = new Map<number, ForwardResult>()
  const log: string[] = []
  const done = Promise.withResolvers<void>()
  const transport: Transport = async ({ headers }) => {
    const at = clock.now() - started
    // The clock is fake, so a time limit cannot end this test. End it after too many attempts.
    if (handed.length > 200_000) {
      done.reject(new Error('it is tried without end'))
      await new Promise(() => {})
    }
    handed.push({ id: String(headers['bnpl-event-id']), at, attempt: String(headers['bnpl-attempt']) })
    const answered = answer(String(headers['bnpl-event-id']), at)
    if (answered instanceof WireFailure) throw answered
    return { headers: {}, body: new Uint8Array(), ...answered }
  }
  const options: ForwarderOptions = {
    inbox: {
      shared,
      take: async () => true,
      release: async () => void log.push('released'),
      holds: () => true,
      waitingDestinations: async () => ['/webhooks'],
      find: async ({ seq }) => events.filter((each) => each.seq === seq),
      waiting: async (_, after, limit) => {
        log.push('read')
        return events.filter(({ seq }) => (shared ? !settled.has(seq) : seq > after)).slice(0, limit)
      },
    },
    commit: {
      forwarded: ({ seq }) => void log.push(`result ${seq}`),
      flush: async () => void log.push('flushed'),
    },
    target: { url: 'http://127.0.0.1:1/hook', transport, clock, timeoutMs: 1000, userAgent: 'test' },
    retry: { ...FORWARD_PAUSES, attempts },
    random: () => 0.5,
    onResult(_, result, next) {
      results.push({ result, next })
      if (result.state === 'retrying') return
      settled.set(result.seq, result)
      if (settled.size === events.length) done.resolve()
    },
    onFailure: done.reject,
  }
  const forwarder = await startForwarder(options)
  await done.promise
  await forwarder.stop(AbortSignal.abort())
  return { handed, results, settled, log, order: [...new Set(handed.map(({ id }) => id))] }
}

const refused = new WireFailure('refused', false, 'ECONNREFUSED')

test.each<[string, Answer]>([
  ['503', { status: 503 }],
  ['429', { status: 429 }],
  ['a connection that is refused', refused],
  ['no connection in time', new WireFailure('timeout', false, 'no connection')],
])(
  'if the handler is away for three days (%s), every event is delivered afterwards in order, and none is set aside [attack 13]',
  async (_, away) => {
    const events = [1, 2, 3].map((seq) => event(seq))
    const { handed, settled, results } = await forwarding({
      events,
      attempts: 2,
      answer: (_, at) => (at < 3 * DAY_MS ? away : { status: 200 }),
    })
    expect([...settled.values()].map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 1],
    ])
    expect(handed.slice(-3).map(({ id }) => id)).toEqual(['e1', 'e2', 'e3'])
    expect(new Set(handed.map(({ attempt }) => attempt))).toEqual(new Set(['1']))
    const waits = results.flatMap(({ next }) => next ?? [])
    expect(waits.every(({ away }) => away)).toBe(true)
    // The handler is asked again within 3 s, but after a 429 less often.
    expect(Math.max(...waits.map(({ waitMs }) => waitMs))).toBe('status' in away && away.status === 429 ? 30_000 : 3000)
  },
)

test.each<[string, Answer]>([
  ['500', { status: 500 }],
  ['422', { status: 422 }],
  ['a redirect', { status: 307 }],
  ['a connection that is cut', new WireFailure('reset', true, 'cut')],
  ['no answer in time', new WireFailure('timeout', true, 'late')],
])('%s is a refusal: it is counted, and the event is set aside after its attempts [attack 13]', async (_, answer) => {
  const events = [event(1), event(2)]
  const { settled, order } = await forwarding({
    events,
    attempts: 3,
    answer: (id) => (id === 'e1' ? answer : { status: 200 }),
  })
  expect([...settled.values()].map(({ state, attempts }) => [state, attempts])).toEqual([
    ['dead', 3],
    ['delivered', 1],
  ])
  expect(order).toEqual(['e1', 'e2'])
})

test('the count of refusals continues after the handler was away [attack 13]', async () => {
  const { settled, handed } = await forwarding({
    attempts: 2,
    answer: (_, at) => (at === 0 ? { status: 500 } : at < DAY_MS ? { status: 503 } : { status: 500 }),
  })
  expect(settled.get(1)).toMatchObject({ state: 'dead', attempts: 2 })
  expect(handed.length).toBeGreaterThan(1000)
})

test.each([
  ['seconds', '120', 132_000],
  ['a date', 'Sun, 01 Mar 2026 12:02:00 GMT', 132_000],
  ['more than five minutes', '86400', 330_000],
  ['a date long ago', 'Sun, 01 Mar 2020 12:02:00 GMT', 500],
  ['nonsense', '-1', 500],
])('Retry-After is respected: %s [attack 13]', async (_, value, waitMs) => {
  for (const status of [429, 503]) {
    const { results } = await forwarding({
      answer: (_, at) => (at === 0 ? { status, headers: { 'retry-after': value } } : { status: 200 }),
    })
    expect(results[0]?.next).toEqual({ waitMs, away: true })
  }
})

test('Retry-After replaces the growing wait, except a wait of 0, so that the handler always gets a pause [attack 13]', async () => {
  const waitsWith = async (status: number, value: string) => {
    const { results } = await forwarding({
      answer: (_, at) => (at < 20_000 ? { status, headers: { 'retry-after': value } } : { status: 200 }),
    })
    return results.flatMap(({ next }) => next?.waitMs ?? []).slice(0, 5)
  }
  for (const status of [429, 503, 500]) expect(await waitsWith(status, '2')).toEqual([2200, 2200, 2200, 2200, 2200])
  for (const value of ['0', 'Sun, 01 Mar 2020 12:02:00 GMT'])
    expect(await waitsWith(429, value)).toEqual([500, 1000, 2000, 4000, 8000])
})

test('a date in Retry-After that is only a moment away gets at least half a second [attack 13]', async () => {
  const asked: Record<number, string> = { 0: '2', 2200: '2', 4400: '2', 6600: 'Sun, 01 Mar 2026 12:00:07 GMT' }
  const { results } = await forwarding({
    answer: (_, at) => (at in asked ? { status: 503, headers: { 'retry-after': asked[at] ?? '' } } : { status: 200 }),
  })
  expect(results.flatMap(({ next }) => next?.waitMs ?? [])).toEqual([2200, 2200, 2200, 550])
})

test('with a shared inbox, a receiver releases the destination and waits as long as Retry-After asks [attack 13]', async () => {
  const { log, handed } = await forwarding({
    shared: true,
    answer: (_, at) => (at < 60_000 ? { status: 503, headers: { 'retry-after': '60' } } : { status: 200 }),
  })
  expect(log.filter((each) => each === 'released')).toHaveLength(1)
  expect(handed.map(({ at }) => at)).toEqual([0, 66_000])
  const quick = await forwarding({
    shared: true,
    answer: (_, at) => (at < 60_000 ? { status: 502 } : { status: 200 }),
  })
  expect(quick.log.filter((each) => each === 'released').length).toBeGreaterThan(10)
})

test.each([
  ['the event’s content-type', { contentType: 'application/json\r\nx-injected: 1' }],
  ['the event’s content-type', { contentType: 'application/json; name=\u{1f9fe}' }],
  ['the event’s service-signature', { signature: 'aa\nbb' }],
  ['the event’s bnpl-event', { event: 'loan\r\napproved' as StoredEvent['event'] }],
])(
  'an event that cannot be sent (%s) is set aside after its attempts, and the next one is sent [attack 25]',
  async (what, odd) => {
    const { settled, order } = await forwarding({
      events: [event(1, odd), event(2)],
      attempts: 2,
      answer: () => ({ status: 200 }),
    })
    expect(settled.get(1)).toMatchObject({
      state: 'dead',
      attempts: 2,
      status: null,
      error: expect.stringContaining(what),
    })
    expect(settled.get(2)).toMatchObject({ state: 'delivered' })
    expect(order).toEqual(['e2'])
  },
)

test('a request that the network refuses to send also counts as a refusal [attack 25]', async () => {
  const { settled } = await forwarding({
    events: [event(1), event(2)],
    attempts: 2,
    answer: (id) => (id === 'e1' ? new WireFailure('garbled', false, 'UND_ERR_INVALID_ARG') : { status: 200 }),
  })
  expect([settled.get(1)?.state, settled.get(2)?.state]).toEqual(['dead', 'delivered'])
})

test('results are stored before more is read, so that a kill repeats no more than the last 8 [row 64]', async () => {
  const events = Array.from({ length: 3 * CHUNK }, (_, i) => event(i + 1))
  const { log } = await forwarding({ events, answer: () => ({ status: 200 }) })
  const unstored = log.reduce<{ now: number; atRead: number[] }>(
    ({ now, atRead }, each) => {
      if (each === 'read') return { now, atRead: [...atRead, now] }
      return { now: each === 'flushed' ? 0 : now + 1, atRead }
    },
    { now: 0, atRead: [] },
  )
  expect(unstored.atRead.length).toBeGreaterThan(2)
  expect(Math.max(...unstored.atRead)).toBe(0)
})

test('the first 2 kB of a handler’s answer are kept, and nothing is kept of an empty answer', async () => {
  const bodies: Record<string, Uint8Array> = { e1: Buffer.from('é'.repeat(3000)), e2: new Uint8Array() }
  const { results } = await forwarding({
    events: [event(1), event(2)],
    answer: (id) => ({ status: 200, body: bodies[id] ?? new Uint8Array() }),
  })
  expect(results.map(({ result }) => result.answer)).toEqual(['é'.repeat(1024), null])
})
