import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/kit/harness.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../../contract/wire.ts'
import type { StoredEvent } from '../inbox.ts'
import { forwardEvent, isAwayStatus } from './forward-attempt.ts'

const stored = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  seq: 7,
  place: 7,
  fate: 'new',
  variantOf: null,
  confirmation: null,
  destination: '/webhooks',
  scheme: 'hmac',
  eventId: 'e7',
  event: 'loan_approved',
  odd: null,
  body: Buffer.from('{"eventId":"e7"}'),
  contentType: 'application/json; charset=utf-8',
  signature: 'aa',
  receivedAt: 0,
  forwarding: null,
  ...more,
})

/** One attempt with a simulated handler: its outcome, and the request that the handler received. */
async function attempted(
  event: StoredEvent,
  answer: Partial<WireResponse> | Error = { status: 200 },
  signal?: AbortSignal,
) {
  const clock = fakeClock(Date.parse('2026-03-01T11:59:00Z'))
  clock.advance(60_000)
  const requests: WireRequest[] = []
  const attempt = await forwardEvent(
    event,
    3,
    {
      url: 'http://127.0.0.1:9/hook',
      clock,
      timeoutMs: 1234,
      userAgent: 'bnpl/1',
      async transport(request) {
        requests.push(request)
        clock.advance(12)
        if (answer instanceof Error) throw answer
        return { status: 200, headers: {}, body: new Uint8Array(), ...answer }
      },
    },
    signal,
  )
  return { attempt, requests }
}

test('a handler gets the body byte for byte, the signature, and headers that describe the event', async () => {
  const event = stored()
  const { attempt, requests } = await attempted(event)
  expect(requests).toEqual([
    {
      method: 'POST',
      url: 'http://127.0.0.1:9/hook',
      body: event.body,
      timeoutMs: 1234,
      maxBytes: 65_536,
      freshSocket: true,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'bnpl/1',
        'bnpl-event-id': 'e7',
        'bnpl-event': 'loan_approved',
        'bnpl-attempt': '3',
        'bnpl-confirmed': 'true',
        'service-signature': 'aa',
      },
    },
  ])
  expect(attempt).toEqual({
    outcome: 'delivered',
    status: 200,
    error: null,
    answer: null,
    sent: true,
    retryAfterMs: 0,
    ms: 12,
  })
})

test('missing values of an event get defaults in the headers, and an event with a token is sent as not confirmed', async () => {
  const bare = { contentType: null, eventId: null, event: null, signature: null, scheme: 'token' } as const
  const { requests } = await attempted(stored(bare))
  expect(requests[0]?.headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'bnpl/1',
    'bnpl-event-id': 'quarantined-7',
    'bnpl-event': 'unknown',
    'bnpl-attempt': '3',
    'bnpl-confirmed': 'false',
  })
})

test.each([
  ['e-7!~', 'e-7!~'],
  ['two words', 'two%20words'],
  ['line\nbreak', 'line%0Abreak'],
  ['ñ', '%C3%B1'],
  ['é tail', '%C3%A9%20tail'],
  ['tail é', 'tail%20%C3%A9'],
  ['\ud83d', '%EF%BF%BD'],
])(
  'an event id that a header can carry is sent unchanged, and any other id is percent-encoded: %j',
  async (eventId, header) => {
    const { requests } = await attempted(stored({ eventId }))
    expect(requests[0]?.headers['bnpl-event-id']).toBe(header)
  },
)

test('the abort signal of an attempt is passed to the request', async () => {
  const { signal } = new AbortController()
  const { requests } = await attempted(stored(), {}, signal)
  expect(requests[0]?.signal).toBe(signal)
})

test.each<[number, string, string | null]>([
  [199, 'refused', 'answered 199'],
  [200, 'delivered', null],
  [299, 'delivered', null],
  [300, 'refused', '300, a redirect, which is not followed'],
  [399, 'refused', '399, a redirect, which is not followed'],
  [400, 'refused', 'answered 400'],
  [429, 'away', 'answered 429'],
  [500, 'refused', 'answered 500'],
  [502, 'away', 'answered 502'],
  [503, 'away', 'answered 503'],
  [504, 'away', 'answered 504'],
])('an answer of %i means %s', async (status, outcome, error) => {
  const { attempt } = await attempted(stored(), { status })
  expect(attempt).toEqual({ outcome, status, error, answer: null, sent: true, retryAfterMs: 0, ms: 12 })
  expect(isAwayStatus(status)).toBe(outcome === 'away')
})

test('a missing status is not a status of a handler that is away', () => {
  expect(isAwayStatus(null)).toBe(false)
})

test('Retry-After sets the wait, as seconds or as a date, and an invalid value sets no wait', async () => {
  const after = (value: string) => attempted(stored(), { status: 503, headers: { 'retry-after': value } })
  expect((await after('120')).attempt.retryAfterMs).toBe(120_000)
  // The wait is computed with the time of the answer, which arrived after 12 ms.
  expect((await after('Sun, 01 Mar 2026 12:00:10 GMT')).attempt.retryAfterMs).toBe(9988)
  expect((await after('soon')).attempt.retryAfterMs).toBe(0)
})

const FAULTS = [
  ['refused', 'nothing answers at the address'],
  ['dns', 'the handler’s host name was not found'],
  ['tls', 'the secure connection failed'],
  ['proxy', 'no connection through the proxy'],
  ['reset', 'the connection was cut off'],
  ['timeout', 'no answer in time'],
  ['too-large', 'the handler’s answer is too large'],
  ['garbled', 'the answer is not HTTP'],
  ['aborted', 'interrupted'],
] as const

test.each(FAULTS)(
  'a fault (%s) means refused, or away if nothing was sent and the fault is not garbled: %s',
  async (kind, error) => {
    const unsent = kind === 'garbled' ? 'refused' : 'away'
    const why = kind === 'garbled' ? 'no valid HTTP request can be made from the event' : error
    expect((await attempted(stored(), new WireFailure(kind, false, 'x'))).attempt).toEqual({
      outcome: unsent,
      status: null,
      error: why,
      answer: null,
      sent: false,
      retryAfterMs: 0,
      ms: 12,
    })
    expect((await attempted(stored(), new WireFailure(kind, true, 'x'))).attempt).toEqual({
      outcome: 'refused',
      status: null,
      error,
      answer: null,
      sent: true,
      retryAfterMs: 0,
      ms: 12,
    })
  },
)

test('if an answer is too large, its status still decides the outcome', async () => {
  const large = new WireFailure('too-large', true, 'x', undefined, { status: 201 })
  expect((await attempted(stored(), large)).attempt).toMatchObject({ outcome: 'delivered', status: 201, error: null })
})

test('an error that is not of the network is thrown', async () => {
  const fault = new TypeError('a fault of the test')
  await expect(attempted(stored(), fault)).rejects.toBe(fault)
})

test.each([
  ['content-type', { contentType: 'application/json\u0000' }],
  ['content-type', { contentType: 'Ā', odd: 'it is not JSON' }],
  ['service-signature', { signature: 'a\u007fb' }],
])(
  'an event whose %s contains a character not allowed in a header is refused, and nothing is sent',
  async (name, more) => {
    const { attempt, requests } = await attempted(stored(more))
    expect(requests).toEqual([])
    expect(attempt).toEqual({
      outcome: 'refused',
      status: null,
      error: `the event’s ${name} contains a character that is not allowed in a header`,
      answer: null,
      sent: false,
      retryAfterMs: 0,
      ms: 0,
    })
  },
)

test('a tab, and letters of Latin-1, may be in a header', async () => {
  const { requests } = await attempted(stored({ contentType: 'text/json;\tname=ñ' }))
  expect(requests[0]?.headers['content-type']).toBe('text/json;\tname=ñ')
})

test.each([
  ['application/json', 'application/json'],
  ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ['application/vnd.shop+json', 'application/vnd.shop+json'],
  [null, 'application/json'],
  ['', 'application/json'],
  ['text/plain', 'application/json'],
  ['application/octet-stream', 'application/json'],
])('an event that came as %s is forwarded as %s', async (contentType, sent) => {
  const types: (string | undefined)[] = []
  const forward = (event: Partial<StoredEvent>) =>
    forwardEvent(stored({ contentType, ...event }), 1, {
      url: 'http://127.0.0.1:1/hook',
      clock: fakeClock(),
      timeoutMs: 1000,
      userAgent: 'test',
      async transport({ headers }) {
        types.push(headers['content-type'])
        return { status: 200, headers: {}, body: new Uint8Array() }
      },
    })
  await forward({})
  // A body that is not an event is forwarded unchanged.
  await forward({ odd: 'it is not JSON' })
  expect(types).toEqual([sent, contentType ?? 'application/json'])
})
