import { expect, test } from 'vitest'
import { fakeClock } from '../../../../test/kit/harness.ts'
import { BnplError } from '../../../errors.ts'
import type { NextAttempt } from '../../../receiver/forwarding/forwarder.ts'
import type { Arrival, ForwardResult, StoredEvent } from '../../../receiver/inbox.ts'
import { commandLine } from '../../../text/shell-word.ts'
import { createRemarks } from './view.ts'

const PLAN = { path: '/webhooks', scheme: 'hmac', forwardTo: 'http://127.0.0.1:9/hook', forwardAttempts: 8 } as const

function remarks({ onScreen = false } = {}) {
  const clock = fakeClock()
  clock.advance(5000)
  const said: string[] = []
  const made = createRemarks(clock, PLAN, (why, scheme) => `${why} by ${scheme}`, onScreen, {
    say: (text) => said.push(text),
    command: (words, operands = [], options = []) => commandLine(words, operands, [...options, '-p shop'].join(' ')),
  })
  return { ...made, said, clock }
}

const arrival = (eventId: string, odd: string | null = null) => ({ eventId, odd }) as Arrival

const event = (eventId: string | null, seq = 7) => ({ eventId, seq }) as StoredEvent

const result = (state: ForwardResult['state'], more: Partial<ForwardResult> = {}): ForwardResult => ({
  seq: 7,
  receivedAt: 0,
  state,
  attempts: 1,
  status: null,
  error: null,
  ms: 1,
  at: 0,
  ...more,
})

const AWAY: NextAttempt = { waitMs: 1000, away: true }
const AGAIN: NextAttempt = { waitMs: 1000, away: false }

test.each([
  [404, 'the path is not /webhooks'],
  [405, 'the method is not POST'],
  [408, 'the request arrived too slowly'],
  [413, 'the body is larger than 1 MiB'],
  [415, 'the body is compressed (Content-Encoding)'],
  [421, 'the Host is not a name of this listener. Add the name with --public-host NAME'],
  [503, 'too many deliveries are being received at once'],
  [431, 'the request is not a delivery of an event'],
])('the remark about a request refused with %i gives the reason', (status, why) => {
  const { observe, said } = remarks()
  observe({ what: 'refused', status, from: '10.0.0.1' })
  expect(said).toEqual([`refused a request from 10.0.0.1 with ${status}: ${why}`])
})

test('a delivery refused with 401 is reported with the reason; repetitions within a second are only counted', () => {
  const { observe, said, clock } = remarks()
  const refused = () => observe({ what: 'unverified', why: 'wrong', from: '10.0.0.1' })
  refused()
  clock.advance(999)
  refused()
  refused()
  // Another reason is another remark.
  observe({ what: 'unverified', why: 'missing', from: '10.0.0.1' })
  clock.advance(1)
  refused()
  expect(said).toEqual([
    'refused a delivery from 10.0.0.1 with 401: wrong by hmac',
    'refused a delivery from 10.0.0.1 with 401: missing by hmac',
    'refused a delivery from 10.0.0.1 with 401: wrong by hmac (and 2 more like it)',
  ])
})

test('a batch that is not stored is reported once, but not if the database does not answer', () => {
  const { observe, said } = remarks()
  observe({ what: 'not-stored', error: new BnplError('network', 'the database does not answer') })
  observe({ what: 'unacknowledged', arrival: arrival('a') })
  expect(said).toEqual([])
  observe({ what: 'not-stored', error: new BnplError('output', 'the disk is full') })
  expect(said).toEqual([
    'the inbox cannot be written, so deliveries are NOT STORED and not acknowledged (503): the disk is full',
  ])
})

test('a new event and a duplicate give no remark; a variant and a quarantined body give the show command', () => {
  const { observe, said } = remarks()
  const recorded = (fate: 'new' | 'duplicate' | 'variant' | 'quarantined') =>
    observe({
      what: 'recorded',
      arrival: arrival('e1', fate === 'quarantined' ? 'it has no eventId' : null),
      recorded: { fate, seq: 5 },
      ms: 1,
    })
  recorded('new')
  recorded('duplicate')
  expect(said).toEqual([])
  recorded('variant')
  recorded('quarantined')
  expect(said).toEqual([
    "e1 arrived again with another body; this delivery is stored but not forwarded (bnpl webhooks events show '#5' -p shop)",
    "a verified delivery is not an event (it has no eventId), so it is kept in quarantine (bnpl webhooks events show '#5' -p shop)",
  ])
})

test('an unavailable handler is reported once, and once more when the handler is available again', () => {
  const { forwarded, said, clock } = remarks()
  forwarded(event('e1'), result('retrying', { error: 'ECONNREFUSED' }), AWAY)
  clock.advance(10)
  forwarded(event('e1'), result('retrying', { error: 'ECONNREFUSED' }), AWAY)
  forwarded(event('e1'), result('delivered'), undefined)
  forwarded(event('e2'), result('delivered'), undefined)
  expect(said).toEqual([
    'the handler http://127.0.0.1:9/hook is not available (ECONNREFUSED): e1 and the later events will be forwarded in order when the handler is available',
    'the handler http://127.0.0.1:9/hook is available again',
  ])
})

test('a handler that stays unavailable is reported each minute, with the time since then and how many events wait', () => {
  const { forwarded, observe, said, clock } = remarks()
  const fails = () => forwarded(event('e1'), result('retrying', { error: 'ECONNREFUSED' }), AWAY)
  fails()
  for (const seq of [2, 3])
    observe({ what: 'recorded', arrival: arrival(`e${seq}`), recorded: { fate: 'new', seq }, ms: 1 })
  for (let s = 0; s < 60; s++) {
    clock.advance(1_000)
    fails()
  }
  expect(said).toHaveLength(2)
  expect(said[1]).toMatch(
    /^the handler http:\/\/127\.0\.0\.1:9\/hook is not available since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(ECONNREFUSED\): 3 events will be forwarded in order/,
  )
})

test('the remark about a refused event has the attempt, and the event number if the event has no id', () => {
  const { forwarded, said } = remarks()
  forwarded(event(null, 12), result('retrying', { error: 'HTTP 500', attempts: 3 }), AGAIN)
  expect(said).toEqual(['the handler did not accept #12: HTTP 500 (attempt 3 of 8); trying again'])
})

test('with a screen, only an event that is set aside is reported, with the command to forward the event again', () => {
  const { forwarded, said } = remarks({ onScreen: true })
  forwarded(event('e1'), result('retrying', { error: 'HTTP 500' }), AGAIN)
  forwarded(event('e1'), result('retrying', { error: 'ECONNREFUSED' }), AWAY)
  forwarded(event('e1'), result('delivered'), undefined)
  expect(said).toEqual([])
  forwarded(event('-e 1'), result('dead', { error: 'HTTP 500', attempts: 8 }), undefined)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('-e 1 is set aside after 8 attempts (HTTP 500). Forward the event again with: ')
  // The id is quoted, and cannot be read as an option.
  expect(said[0]).toMatch(/bnpl webhooks events replay .*--forward-to http:\/\/127\.0\.0\.1:9\/hook -p shop /)
  expect(said[0]).toContain("-- '-e 1'")
})

test('without a screen, an event that is set aside after the handler was unavailable gives one remark', () => {
  const { forwarded, said } = remarks()
  forwarded(event('e1'), result('retrying', { error: 'ECONNREFUSED', attempts: 7 }), AWAY)
  said.splice(0)
  forwarded(event('e1'), result('dead', { error: 'HTTP 500', attempts: 8 }), undefined)
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/^e1 is set aside after 8 attempts/)
})

test('each kind of remark is limited separately to one per second', () => {
  const { observe, forwarded, said } = remarks()
  const arrived = (fate: 'variant' | 'quarantined') =>
    observe({ what: 'recorded', arrival: arrival('e1'), recorded: { fate, seq: 5 }, ms: 1 })
  for (let i = 0; i < 2; i++) {
    observe({ what: 'refused', status: 404, from: '10.0.0.1' })
    observe({ what: 'refused', status: 405, from: '10.0.0.1' })
    observe({ what: 'unverified', why: 'wrong', from: '10.0.0.1' })
    observe({ what: 'not-stored', error: new BnplError('output', 'the disk is full') })
    arrived('variant')
    arrived('quarantined')
    forwarded(event('e1'), result('retrying', { error: 'HTTP 500' }), AGAIN)
    forwarded(event('e1'), result('retrying', { error: 'ECONNREFUSED' }), AWAY)
  }
  // The handler's return is said each time.
  expect(said.filter((text) => !text.endsWith('is available again'))).toHaveLength(8)
})
