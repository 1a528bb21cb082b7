import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { arrival, batch, fates, result } from '../../test/receiver/inbox-kit.ts'
import { PLACES, type Place } from '../../test/receiver/inbox-places.ts'
import { eventKey, type Inbox, shortHash } from './inbox.ts'

describe.each(Object.keys(PLACES))('in %s', (name) => {
  let place: Place
  const opened: Inbox[] = []
  beforeEach(async () => {
    place = await (PLACES[name] as () => Promise<Place>)()
  })
  afterEach(async () => {
    for (const inbox of opened.splice(0)) await inbox.close()
    await place[Symbol.asyncDispose]()
  })

  async function open(): Promise<Inbox> {
    const inbox = await place.open()
    opened.push(inbox)
    await inbox.claim({ pid: 1, address: '127.0.0.1:4556' })
    return inbox
  }

  test('the service’s confirmation of an event is stored with the event', async () => {
    const inbox = await open()
    const token = { scheme: 'token', event: 'new_lead' } as const
    await inbox.commit(batch([arrival('e1', token), arrival('e2', token), arrival('signed')]))
    const unconfirmed = async () => (await inbox.find({ unconfirmed: true, limit: 10 })).map(({ eventId }) => eventId)
    expect(await unconfirmed()).toEqual(['e2', 'e1'])
    await inbox.confirm(1, { agrees: false, differences: ['rut'], at: 5 })
    expect(await unconfirmed()).toEqual(['e2', 'e1'])
    await inbox.confirm(1, { agrees: true, differences: [], at: 6 })
    expect(await unconfirmed()).toEqual(['e2'])
    expect(await inbox.find({ eventId: 'e1', limit: 1 })).toMatchObject([
      { confirmation: { agrees: true, differences: [], at: 6 } },
    ])
    expect(await inbox.find({ eventId: 'e2', limit: 1 })).toMatchObject([{ confirmation: null }])
  })

  test('an event is new only once, within one batch and over many', async () => {
    const inbox = await open()
    expect(await fates(inbox, arrival('e1'), arrival('e1'), arrival('e2'))).toEqual(['new', 'duplicate', 'new'])
    expect(await inbox.commit(batch([arrival('e1')]))).toMatchObject([{ fate: 'duplicate', seq: 1 }])
    expect((await inbox.emittable(0, 10)).map(({ eventId, seq }) => [eventId, seq])).toEqual([
      ['e1', 1],
      ['e2', 2],
    ])
  })

  test('simultaneous batches are answered in order, even if the first takes longer', async () => {
    const inbox = await open()
    await inbox.commit(batch([arrival('e1')]))
    const answered: number[] = []
    const one = inbox.commit(batch([arrival('e1', { body: Buffer.from('other') }), arrival('e2')]))
    const two = inbox.commit(batch([arrival('e3')]))
    await Promise.all([one.then(() => answered.push(1)), two.then(() => answered.push(2))])
    expect(answered).toEqual([1, 2])
    expect((await inbox.emittable(0, 9)).map(({ eventId }) => eventId)).toEqual(['e1', 'e2', 'e3'])
  })

  test('the same eventId at two destinations is two events [row 59]', async () => {
    const inbox = await open()
    expect(await fates(inbox, arrival('e1'), arrival('e1', { destination: '/other' }))).toEqual(['new', 'new'])
  })

  test('the same eventId with another body is a variant: kept once, not to be emitted or forwarded [row 56]', async () => {
    const inbox = await open()
    const other = arrival('e1', { body: Buffer.from('other'), forward: true })
    expect(await fates(inbox, arrival('e1'), other, other, arrival('e1'))).toEqual([
      'new',
      'variant',
      'duplicate',
      'duplicate',
    ])
    expect(await inbox.emittable(0, 10)).toHaveLength(1)
    expect(await inbox.backlog()).toEqual({ waiting: 0, oldestAt: null })
    const [variant] = await inbox.find({ state: 'variant', limit: 10 })
    expect(variant).toMatchObject({ variantOf: 1, fate: 'variant' })
    expect(Buffer.from(variant?.body ?? [])).toEqual(Buffer.from('other'))
  })

  test('a body that is not an envelope is kept once, in quarantine [row 60]', async () => {
    const inbox = await open()
    const odd = arrival('', { eventId: null, event: null, odd: 'it is not an object', body: Buffer.from('[1]') })
    expect(await fates(inbox, odd, odd)).toEqual(['quarantined', 'duplicate'])
    expect(await inbox.emittable(0, 10)).toEqual([])
    expect(await inbox.find({ state: 'quarantined', limit: 10 })).toMatchObject([{ odd: 'it is not an object' }])
  })

  test('an event is still a duplicate after a restart, and after its body was pruned a month later [row 55]', async () => {
    const inbox = await open()
    await inbox.commit(batch([arrival('e1'), arrival('e2'), arrival('e3')], { emittedUpTo: 0 }))
    await inbox.commit(batch([], { emittedUpTo: 3 }))
    const month = 30 * 86_400_000
    expect(await inbox.prune(1000 + month)).toBe(3)
    await inbox.close()
    opened.pop()
    const again = await open()
    expect(await fates(again, arrival('e1'), arrival('e2'), arrival('e4'))).toEqual(['duplicate', 'duplicate', 'new'])
    const left = await again.emittable(await again.emittedUpTo(), 10)
    expect(left.map(({ eventId }) => eventId)).toEqual(['e4'])
    // A different body for a pruned event is still recognised as different.
    const other = arrival('e1', { body: Buffer.from('{"eventId":"e1","data":2}') })
    expect(await fates(again, other, other, arrival('e1'))).toEqual(['variant', 'duplicate', 'duplicate'])
    // The number of a pruned event is never used again.
    expect(left[0]?.seq).toBeGreaterThan(3)
  })

  test('pruning keeps events that wait to be emitted or forwarded, or were set aside', async () => {
    const inbox = await open()
    const all = ['e1', 'e2', 'e3', 'e4', 'e5'].map((id) => arrival(id, { forward: true }))
    await inbox.commit(batch(all))
    await inbox.commit(batch([], { emittedUpTo: 4, forwards: [result(1, 'delivered'), result(2, 'dead')] }))
    expect(await inbox.prune(5000)).toBe(1)
    expect((await inbox.find({ limit: 10 })).map(({ eventId }) => eventId)).toEqual(['e5', 'e4', 'e3', 'e2'])
  })

  test('a forward result out of order, as from a replay, skips no waiting event', async () => {
    const inbox = await open()
    await inbox.commit(batch(['e1', 'e2', 'e3'].map((id) => arrival(id, { forward: true }))))
    await inbox.commit(batch([], { forwards: [result(3, 'delivered')] }))
    expect((await inbox.waiting('/webhooks', 0, 10)).map(({ seq }) => seq).slice(0, 2)).toEqual([1, 2])
    expect(await inbox.waiting('/webhooks', 0, 10)).toHaveLength(2)
    await inbox.commit(batch([], { forwards: [result(1, 'retrying')] }))
    expect((await inbox.waiting('/webhooks', 0, 10))[0]).toMatchObject({ seq: 1, forwarding: { state: 'retrying' } })
    await inbox.commit(batch([], { forwards: [result(1, 'delivered'), result(2, 'dead')] }))
    expect(await inbox.waiting('/webhooks', 2, 10)).not.toContainEqual(expect.objectContaining({ seq: 2 }))
    await inbox.commit(batch([], { forwards: [result(3, 'delivered')] }))
    expect(await inbox.waitingDestinations()).toEqual([])
    expect(await inbox.find({ state: 'dead', limit: 9 })).toMatchObject([{ eventId: 'e2' }])
  })

  test('a replayed event does not wait, is passed by when the events before it are finished, and is pruned', async () => {
    const inbox = await open()
    const seqs = async () => (await inbox.waiting('/webhooks', 0, 10)).map(({ seq }) => seq)
    const settle = (...of: Parameters<typeof result>[]) =>
      inbox.commit(batch([], { forwards: of.map(([seq, state]) => result(seq, state, seq * 1000)) }))
    const at = (n: number) => ({ forward: true, receivedAt: n * 1000 })
    await inbox.commit(
      batch(
        [1, 2, 3, 4, 5].map((n) => arrival(`e${n}`, at(n))),
        { emittedUpTo: 0 },
      ),
    )
    await inbox.commit(batch([], { emittedUpTo: 5 }))
    await settle([1, 'retrying'], [2, 'dead'], [3, 'delivered'], [5, 'delivered'])
    expect(await seqs()).toEqual([1, 4])
    expect(await inbox.backlog()).toEqual({ waiting: 2, oldestAt: 1000 })
    expect(await inbox.prune(9000)).toBe(2)
    await settle([1, 'delivered'])
    expect(await seqs()).toEqual([4])
    expect(await inbox.backlog()).toEqual({ waiting: 1, oldestAt: 4000 })
    await settle([4, 'delivered'])
    expect([await seqs(), await inbox.waitingDestinations()]).toEqual([[], []])
    await inbox.commit(batch([arrival('e6', at(6))]))
    expect(await seqs()).toHaveLength(1)
    expect(await inbox.prune(6000)).toBe(2)
  })

  test('a replayed event remains delivered after later attempts, and a pruned event gets no result', async () => {
    const inbox = await open()
    await inbox.commit(batch([arrival('e1', { forward: true }), arrival('e2', { forward: true, receivedAt: 9000 })]))
    await inbox.commit(batch([], { forwards: [result(1, 'retrying')] }))
    await inbox.commit(batch([], { forwards: [result(1, 'delivered')] }))
    await inbox.commit(batch([], { forwards: [result(1, 'retrying')] }))
    await inbox.commit(batch([], { forwards: [result(1, 'dead')] }))
    expect(await inbox.find({ seq: 1, limit: 1 })).toMatchObject([{ forwarding: { state: 'delivered' } }])
    await inbox.commit({ arrivals: [], forwards: [], emittedUpTo: 2 })
    expect(await inbox.prune(5000)).toBe(1)
    await inbox.commit(batch([], { forwards: [result(1, 'dead')] }))
    expect(await inbox.find({ state: 'dead', limit: 9 })).toEqual([])
    await inbox.commit(batch([], { forwards: [result(2, 'dead', 9000)] }))
    await inbox.commit(batch([], { forwards: [result(2, 'delivered', 9000)] }))
    expect(await inbox.find({ seq: 2, limit: 1 })).toMatchObject([{ forwarding: { state: 'delivered' } }])
  })

  test('a batch that fails stores nothing, and does not affect the next batch', async () => {
    const inbox = await open()
    await inbox.commit(batch([arrival('e1')]))
    const impossible = arrival('e3', { receivedAt: 'never' as never })
    await expect(inbox.commit(batch([arrival('e2'), impossible]))).rejects.toThrow()
    expect(await inbox.commit(batch([arrival('e2')]))).toMatchObject([{ fate: 'new' }])
  })

  test('the backlog counts the waiting events over all destinations, and has the time of the oldest event', async () => {
    const inbox = await open()
    expect(await inbox.backlog()).toEqual({ waiting: 0, oldestAt: null })
    const forward = (id: string, destination: string, receivedAt: number) =>
      arrival(id, { destination, receivedAt, forward: true })
    const events = [
      forward('a1', '/a', 3000),
      forward('a2', '/a', 4000),
      forward('b1', '/b', 5000),
      forward('b2', '/b', 6000),
      arrival('kept', { receivedAt: 1 }),
    ]
    await inbox.commit(batch(events))
    expect(await inbox.backlog()).toEqual({ waiting: 4, oldestAt: 3000 })
    await inbox.commit(batch([], { forwards: [result(1, 'delivered', 3000), result(2, 'retrying', 4000)] }))
    expect(await inbox.backlog()).toEqual({ waiting: 3, oldestAt: 4000 })
    await inbox.commit(batch([], { forwards: [result(2, 'dead', 4000), result(3, 'delivered', 5000)] }))
    expect(await inbox.backlog()).toEqual({ waiting: 1, oldestAt: 6000 })
  })
})

test('the key of an event does not change between releases, so that stored events are recognised', () => {
  expect(eventKey(3, '0199f7a2-6c1e-7bbb-9f2e-1c2d3e4f5a6b')).toBe('0199f7a2-6c1gdHuar9fU6E2ZxeF22M_Lq')
  expect(eventKey(4, 'short')).toBe('shortcvc63299CUH0qF9Z9Tlnfq')
  expect(eventKey(3, 'é x\ty')).toBe('__x_ydqbsQJDhofIyjNENUbp-ql')
})

test('a text and its bytes have the same hash', () => {
  expect([shortHash('a text'), shortHash(Buffer.from('a text'))]).toEqual(Array(2).fill('c0GU7eWwY-ZU1jy5WmgsoV'))
})
