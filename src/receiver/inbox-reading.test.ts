import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrival, batch, result } from '../../test/receiver/inbox-kit.ts'
import { PLACES, type Place } from '../../test/receiver/inbox-places.ts'
import type { EventQuery, Inbox, StoredEvent } from './inbox.ts'

const SIGNED = { forward: true, receivedAt: 1000 }
const TOKEN = { scheme: 'token', signature: null, event: 'new_lead' } as const

/** The arrivals that are stored, in this order, with the names that the tests use. */
const ARRIVALS = {
  waiting: arrival('waiting', SIGNED),
  retrying: arrival('retrying', SIGNED),
  delivered: arrival('delivered', { ...SIGNED, receivedAt: 2000 }),
  dead: arrival('dead', { ...SIGNED, receivedAt: 3000 }),
  kept: arrival('kept', { ...TOKEN, contentType: null, receivedAt: 4000 }),
  variant: arrival('waiting', { body: Buffer.from('another'), receivedAt: 5000, forward: true }),
  odd: arrival('', { eventId: null, event: null, odd: 'it has no data', body: Buffer.from('[1]'), forward: true }),
  elsewhere: arrival('waiting', { destination: '/other', receivedAt: 6000, forward: true }),
  percent: arrival('100%_of-it', { receivedAt: 7000 }),
  thousand: arrival('1000_of-it', { receivedAt: 8000 }),
  /** This event was not marked for forwarding, and was replayed by a user. */
  replayed: arrival('by-hand', { receivedAt: 1500 }),
}
type Name = keyof typeof ARRIVALS
const NAMES = Object.keys(ARRIVALS) as Name[]

describe.each(Object.keys(PLACES))('in %s', (name) => {
  let place: Place
  let inbox: Inbox
  let empty: Awaited<ReturnType<Inbox['backlog']>>
  const numbers = new Map<Name, number>()
  const numberOf = (each: Name) => numbers.get(each) ?? Number.NaN
  const namesOf = (events: readonly StoredEvent[]) =>
    events.map(({ seq }) => NAMES.find((each) => numbers.get(each) === seq))
  beforeAll(async () => {
    place = await (PLACES[name] as () => Promise<Place>)()
    inbox = await place.open()
    await inbox.claim({ pid: 1, address: '' })
    empty = await inbox.backlog()
    for (const each of NAMES) {
      const [recorded] = await inbox.commit(batch([ARRIVALS[each]]))
      if (recorded) numbers.set(each, recorded.seq)
    }
    const forwards = [
      {
        ...result(numberOf('retrying'), 'retrying', ARRIVALS.retrying.receivedAt),
        attempts: 3,
        status: 500,
        error: 'answered 500',
        answer: 'out of paper',
        ms: 12.6,
      },
      { ...result(numberOf('delivered'), 'delivered', ARRIVALS.delivered.receivedAt), status: 204 },
      result(numberOf('replayed'), 'delivered', ARRIVALS.replayed.receivedAt),
      {
        ...result(numberOf('dead'), 'dead', ARRIVALS.dead.receivedAt),
        attempts: 8,
        status: null,
        error: 'nothing answers there',
      },
    ]
    await inbox.commit(batch([], { forwards }))
  })
  afterAll(async () => {
    await inbox.close()
    await place[Symbol.asyncDispose]()
  })
  const found = async (query: Omit<EventQuery, 'limit'>, limit = 99) => namesOf(await inbox.find({ ...query, limit }))

  test.each<[NonNullable<EventQuery['state']>, Name[]]>([
    ['waiting', ['elsewhere', 'waiting']],
    ['retrying', ['retrying']],
    ['delivered', ['replayed', 'delivered']],
    ['dead', ['dead']],
    ['stored', ['thousand', 'percent', 'kept']],
    ['variant', ['variant']],
    ['quarantined', ['odd']],
  ])('events are found by their state: %s', async (state, names) => {
    expect(await found({ state })).toEqual(names)
  })

  test('without a condition all events are found, newest first, as many as are asked for', async () => {
    expect(await found({})).toEqual([
      'replayed',
      'thousand',
      'percent',
      'elsewhere',
      'odd',
      'variant',
      'kept',
      'dead',
      'delivered',
      'retrying',
      'waiting',
    ])
    expect(await found({}, 3)).toEqual(['replayed', 'thousand', 'percent'])
  })

  test('only a database can be shared', () => {
    expect(inbox.shared).toBe(name === 'PostgreSQL')
  })

  test('an event is found by its number', async () => {
    expect([await found({ seq: numberOf('variant') }), await found({ seq: 99 })]).toEqual([['variant'], []])
  })

  test('an event is found by its id at every destination, with its variants', async () => {
    expect(await found({ eventId: 'waiting' })).toEqual(['elsewhere', 'variant', 'waiting'])
    expect(await found({ eventId: 'dead' })).toEqual(['dead'])
    expect(await found({ eventId: 'waitin' })).toEqual([])
  })

  test('an event is found by the exact beginning and end of its id, and its variants are not found', async () => {
    const ids = async (head: string, tail: string) => found({ idPart: { head, tail } })
    expect(await ids('wai', 'ing')).toEqual(['elsewhere', 'waiting'])
    expect(await ids('wai', '')).toEqual(['elsewhere', 'waiting'])
    expect(await ids('', 'ed')).toEqual(['delivered'])
    expect(await ids('de', 'd')).toEqual(['dead', 'delivered'])
    expect(await ids('100%', '_of-it')).toEqual(['percent'])
    expect(await ids('100_', '')).toEqual([])
    expect(await ids('WAI', '')).toEqual([])
    expect(await ids('wai\0', 'ing')).toEqual([])
  })

  test('an event is found only if all conditions match', async () => {
    expect(await found({ state: 'waiting', seq: numberOf('elsewhere') })).toEqual(['elsewhere'])
    expect(await found({ state: 'dead', seq: numberOf('elsewhere') })).toEqual([])
    expect(await found({ eventId: 'waiting', state: 'waiting' })).toEqual(['elsewhere', 'waiting'])
    expect(await found({ since: 2000, state: 'delivered' })).toEqual(['delivered'])
    expect(await found({ since: 2001, state: 'delivered' })).toEqual([])
    expect(await found({ since: 5000, eventId: 'waiting' })).toEqual(['elsewhere', 'variant'])
    expect(await found({ since: 7500, idPart: { head: '1', tail: 'it' } })).toEqual(['thousand'])
  })

  test('only new events that came with a token wait for a confirmation', async () => {
    expect(await found({ unconfirmed: true })).toEqual(['kept'])
    expect(await found({ unconfirmed: false, seq: numberOf('dead') })).toEqual(['dead'])
    await inbox.confirm(numberOf('kept'), { agrees: false, differences: ['rut', 'amount'], at: 50 })
    expect((await inbox.find({ seq: numberOf('kept'), limit: 1 }))[0]?.confirmation).toEqual({
      agrees: false,
      differences: ['rut', 'amount'],
      at: 50,
    })
  })

  test('every field of a stored event is read back', async () => {
    const read = async (each: Name) => {
      const seq = numberOf(each)
      const [{ body, place: at, ...event } = {}] = (await inbox.find({ seq, limit: 1 })) as Partial<
        Awaited<ReturnType<Inbox['find']>>[number]
      >[]
      expect(at).toBe(seq)
      return { ...event, body: Buffer.from(body ?? []).toString() }
    }
    expect(await read('retrying')).toEqual({
      seq: numberOf('retrying'),
      fate: 'new',
      variantOf: null,
      confirmation: null,
      destination: '/webhooks',
      scheme: 'hmac',
      eventId: 'retrying',
      event: 'loan_approved',
      odd: null,
      body: '{"eventId":"retrying"}',
      contentType: 'application/json',
      signature: 'aa',
      receivedAt: 1000,
      forwarding: {
        state: 'retrying',
        attempts: 3,
        status: 500,
        error: 'answered 500',
        answer: 'out of paper',
        ms: 13,
      },
    })
    expect(await read('odd')).toMatchObject({
      fate: 'quarantined',
      eventId: null,
      event: null,
      odd: 'it has no data',
      body: '[1]',
      forwarding: null,
    })
    expect(await read('kept')).toMatchObject({ scheme: 'token', contentType: null, signature: null, forwarding: null })
    expect(await read('variant')).toMatchObject({ fate: 'variant', variantOf: numberOf('waiting'), forwarding: null })
    expect((await read('waiting')).forwarding).toEqual({
      state: 'waiting',
      attempts: 0,
      status: null,
      error: null,
      answer: null,
      ms: null,
    })
    expect((await read('replayed')).forwarding).toMatchObject({ state: 'delivered', status: 200 })
    expect((await read('dead')).forwarding).toEqual({
      state: 'dead',
      attempts: 8,
      status: null,
      error: 'nothing answers there',
      answer: null,
      ms: 4,
    })
  })

  test('new events that are to be written out are read after a place, oldest first', async () => {
    const after = async (at: number, limit: number) => namesOf(await inbox.emittable(at, limit))
    expect(await after(0, 99)).toEqual([
      'waiting',
      'retrying',
      'delivered',
      'dead',
      'kept',
      'elsewhere',
      'percent',
      'thousand',
      'replayed',
    ])
    expect(await after(numberOf('dead'), 2)).toEqual(['kept', 'elsewhere'])
    expect(await after(numberOf('replayed'), 2)).toEqual([])
  })

  test('events that wait to be forwarded are read for each destination, oldest first', async () => {
    const waiting = async (destination: string, limit: number) =>
      (await inbox.waiting(destination, 0, limit)).map(({ eventId }) => eventId)
    expect((await inbox.waitingDestinations()).sort()).toEqual(['/other', '/webhooks'])
    expect(await waiting('/webhooks', 9)).toEqual(['waiting', 'retrying'])
    expect(await waiting('/webhooks', 1)).toEqual(['waiting'])
    expect(await waiting('/other', 9)).toEqual(['waiting'])
    expect(await waiting('/not-known', 9)).toEqual([])
  })

  test('the backlog is the number of waiting events over all destinations, and the time of the oldest event', async () => {
    expect(empty).toEqual({ waiting: 0, oldestAt: null })
    expect(await inbox.backlog()).toEqual({ waiting: 3, oldestAt: 1000 })
  })

  test('the destination that a listener registered is kept, replaced and removed', async () => {
    expect(await inbox.ownDestination('acme')).toBeUndefined()
    await inbox.setOwnDestination('acme', { id: 'd1', url: 'https://shop.example' })
    await inbox.setOwnDestination('acme', { id: 'd2', url: 'https://shop.example' })
    expect(await inbox.ownDestination('acme')).toEqual({ id: 'd2', url: 'https://shop.example' })
    // Another account has its own destination, and changes nothing here.
    expect(await inbox.ownDestination('other')).toBeUndefined()
    await inbox.setOwnDestination('other', { id: 'd3', url: 'https://other.example' })
    await inbox.setOwnDestination('acme', undefined)
    expect(await inbox.ownDestination('acme')).toBeUndefined()
    expect(await inbox.ownDestination('other')).toEqual({ id: 'd3', url: 'https://other.example' })
    await inbox.setOwnDestination('other', undefined)
  })

  test('the last listener of the inbox is kept and replaced', async () => {
    expect(await inbox.lastListener()).toBeUndefined()
    await inbox.setLastListener({ kind: 'sandbox', profile: 'sandbox', forwardTo: 'http://127.0.0.1:3000/hook' })
    await inbox.setLastListener({ kind: 'service', profile: 'shop' })
    expect(await inbox.lastListener()).toEqual({ kind: 'service', profile: 'shop' })
  })
})
