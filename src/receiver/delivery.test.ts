import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kit/harness.ts'
import { sign } from '../domain/signature.ts'
import { BnplError } from '../errors.ts'
import { type DeliveryOptions, deliveryTaker, type Happening } from './delivery.ts'
import type { OnStored } from './group-commit.ts'
import type { Arrival, Recorded, StoredEvent } from './inbox.ts'

const SIGNATURE = { algorithm: 'sha256', encoding: 'hex' } as const
const SECRET = 'a-secret-that-is-long-enough'
const BODY = '{"eventId":"e1","data":{"loanAmount":1000}}'
const NOW = Date.parse('2026-03-01T12:00:00Z')

/** The function that takes deliveries, with a simulated inbox and commit. */
function scene(more: Partial<DeliveryOptions> = {}, forwards = false) {
  const clock = fakeClock(NOW - 60_000)
  clock.advance(60_000)
  const happenings: Happening[] = []
  const faults: unknown[] = []
  const events: StoredEvent[] = []
  const submitted: { arrival: Arrival; stored: OnStored }[] = []
  const statuses: number[] = []
  const options = {
    path: '/webhooks',
    inbox: { probe: async () => {} },
    clock,
    selfTestId: 'own',
    scheme: 'hmac',
    signature: SIGNATURE,
    secrets: { current: () => [SECRET], refresh: async () => false },
    observe: (happening: Happening) => void happenings.push(happening),
    onError: (error: unknown) => void faults.push(error),
    ...more,
  } as DeliveryOptions
  const take = deliveryTaker(options, {
    commit: { submit: (arrival, stored) => void submitted.push({ arrival, stored }) },
    forwards,
    onEvent: (event) => void events.push(event),
  })
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '10.0.0.9' })
  const deliver = (body: string, headers: Record<string, string> = signed(body)) => {
    const request = { headers, socket } as unknown as IncomingMessage
    take(request, Buffer.from(body), (status) => statuses.push(status))
  }
  const store = (recorded: Recorded | undefined, error?: unknown) => submitted.shift()?.stored(error, recorded)
  return { clock, happenings, faults, events, submitted, statuses, deliver, store, socket }
}

const signed = (body: string, secret = SECRET) => ({
  'service-signature': sign(Buffer.from(body), secret, SIGNATURE),
  'content-type': 'application/json',
})

test('a delivery is answered 200 only after durable storage, and then the event is passed on', () => {
  const { clock, deliver, store, submitted, statuses, happenings, events } = scene()
  deliver(BODY)
  const arrival = submitted[0]?.arrival
  expect(arrival).toEqual({
    destination: '/webhooks',
    scheme: 'hmac',
    eventId: 'e1',
    event: 'loan_approved',
    odd: null,
    body: Buffer.from(BODY),
    contentType: 'application/json',
    signature: signed(BODY)['service-signature'],
    receivedAt: NOW,
    forward: false,
  })
  expect([statuses, events]).toEqual([[], []])
  clock.advance(7)
  const recorded: Recorded = { fate: 'new', seq: 5 }
  store(recorded)
  expect(statuses).toEqual([200])
  expect(happenings).toEqual([{ what: 'recorded', arrival, recorded, ms: 7 }])
  const { forward: _, ...kept } = arrival as Arrival
  expect(events).toEqual([
    {
      ...kept,
      seq: 5,
      place: 5,
      fate: 'new',
      variantOf: null,
      confirmation: null,
      forwarding: null,
      dataText: '{"loanAmount":1000}',
    },
  ])
})

test('an event that will be forwarded starts in the state waiting, without attempts', () => {
  const { deliver, store, submitted, events } = scene({}, true)
  deliver(BODY)
  expect(submitted[0]?.arrival.forward).toBe(true)
  store({ fate: 'new', seq: 5 })
  expect(events[0]?.forwarding).toEqual({
    state: 'waiting',
    attempts: 0,
    status: null,
    error: null,
    answer: null,
    ms: null,
  })
})

test.each(['duplicate', 'variant', 'quarantined'] as const)(
  'a %s is acknowledged, but not passed on as a new event',
  (fate) => {
    const { deliver, store, statuses, events, happenings } = scene()
    deliver(BODY)
    store({ fate, seq: 5 })
    expect([statuses, events]).toEqual([[200], []])
    expect(happenings).toMatchObject([{ what: 'recorded', recorded: { fate } }])
  },
)

test('a delivery that could not be stored is answered 503 and causes no event', () => {
  const { deliver, store, statuses, events, happenings, submitted } = scene()
  deliver(BODY)
  const arrival = submitted[0]?.arrival
  store(undefined, new BnplError('output', 'no room'))
  expect([statuses, events]).toEqual([[503], []])
  expect(happenings).toEqual([{ what: 'unacknowledged', arrival }])
})

test('a body that is not an envelope is stored with the reason and without an id', () => {
  const { deliver, store, submitted, events } = scene()
  deliver('[1]')
  expect(submitted[0]?.arrival).toMatchObject({ eventId: null, event: null, odd: 'it is not an object' })
  store({ fate: 'new', seq: 1 })
  expect(events[0]).toMatchObject({ odd: 'it is not an object', dataText: undefined })
})

test('under the token scheme the token is not stored, and the event type follows from the data', () => {
  const { deliver, submitted } = scene({ scheme: 'token' })
  deliver('{"eventId":"e1","data":{"idPreAprobacion":"1"}}', { 'service-webhook-secret': SECRET })
  expect(submitted[0]?.arrival).toMatchObject({
    scheme: 'token',
    event: 'pre_approve',
    signature: null,
    contentType: null,
  })
})

test('a delivery with no proof or a proof of both schemes is answered 401 at once; reason and sender are reported', () => {
  const { deliver, statuses, happenings, submitted } = scene()
  deliver(BODY, {})
  deliver(BODY, { ...signed(BODY), 'service-webhook-secret': SECRET })
  expect(statuses).toEqual([401, 401])
  expect(happenings).toEqual([
    { what: 'unverified', why: 'missing', from: '10.0.0.9' },
    { what: 'unverified', why: 'other-scheme', from: '10.0.0.9' },
  ])
  expect(submitted).toEqual([])
})

test('a wrong signature is verified again with refreshed secrets before the delivery is refused', async () => {
  let current = ['an-older-secret']
  let changes = false
  const refresh = async () => {
    if (changes) current = [SECRET]
    return changes
  }
  const { deliver, statuses, happenings, submitted } = scene({ secrets: { current: () => current, refresh } })
  deliver(BODY)
  expect(statuses).toEqual([])
  await expect.poll(() => statuses).toEqual([401])
  expect(happenings).toEqual([{ what: 'unverified', why: 'wrong', from: '10.0.0.9' }])
  changes = true
  deliver(BODY)
  await expect.poll(() => submitted.length).toBe(1)
  expect(statuses).toEqual([401])
})

test('if the secrets cannot be refreshed, the delivery is answered 503 and the error is reported as a fault', async () => {
  const fault = new TypeError('a fault of the test')
  const { deliver, statuses, faults } = scene({
    secrets: { current: () => ['another'], refresh: () => Promise.reject(fault) },
  })
  deliver(BODY)
  await expect.poll(() => faults).toEqual([fault])
  expect(statuses).toEqual([503])
})

const OWN = '{"eventId":"own","data":null}'

test("the listener's own test delivery probes the inbox, and is not stored", async () => {
  const { deliver, statuses, submitted, happenings } = scene()
  deliver(OWN)
  await expect.poll(() => statuses).toEqual([200])
  expect([submitted, happenings]).toEqual([[], []])
})

test.each([
  ['a full disk', new BnplError('output', 'no room'), 0],
  ['a fault', new TypeError('a fault of the test'), 1],
])("the listener's own test delivery is answered 503 for %s; only a fault is reported", async (_, error, reported) => {
  const { deliver, statuses, faults } = scene({ inbox: { probe: () => Promise.reject(error) } as never })
  deliver(OWN)
  await expect.poll(() => statuses).toEqual([503])
  expect(faults).toHaveLength(reported)
})

test('a fault of the observer is reported and does not change the answer', () => {
  const fault = new TypeError('a fault of the test')
  const { deliver, store, statuses, faults } = scene({
    observe: () => {
      throw fault
    },
  })
  deliver(BODY)
  store({ fate: 'new', seq: 1 })
  expect([statuses, faults]).toEqual([[200], [fault]])
})

test('the record of a delivery has the time when the sender closed the connection before the answer', () => {
  const seen: unknown[] = []
  const { clock, deliver, store, socket } = scene({
    answered: ({ ms, cutMs }) => void seen.push([ms, cutMs, socket.listenerCount('close')]),
  })
  deliver(BODY)
  clock.advance(3000)
  store({ fate: 'new', seq: 1 })
  deliver(BODY)
  clock.advance(4000)
  socket.emit('close')
  clock.advance(500)
  store({ fate: 'duplicate', seq: 1 })
  expect(seen).toEqual([
    [3000, undefined, 0],
    [4500, 4000, 0],
  ])
})

test('without a recording, the close of a connection is not watched', () => {
  const { deliver, socket } = scene()
  deliver(BODY)
  expect(socket.listenerCount('close')).toBe(0)
})
