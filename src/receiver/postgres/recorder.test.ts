import type { QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { arrival, batch, result } from '../../../test/receiver/inbox-kit.ts'
import { shortHash } from '../inbox.ts'
import { record } from './recorder.ts'

/** A session with a simulated database: tables of keys and of destinations, and the queries that were made. */
function played(seen: Record<string, { seq: number; bodyHash: string }> = {}) {
  const keys = new Map(Object.entries(seen))
  const names: string[] = []
  const asked: { text: string; values: unknown[] }[] = []
  let last = keys.size
  const query = async (given: string | QueryConfig, more: unknown[] = []) => {
    const { text, values = [] } = typeof given === 'string' ? { text: given, values: more } : given
    asked.push({ text, values })
    if (text.includes('INTO bnpl_inbox.destinations')) {
      names.push(String(values[0]))
      return { rows: [] }
    }
    if (text.includes('FROM bnpl_inbox.destinations')) return { rows: [{ id: names.indexOf(String(values[0])) + 1 }] }
    if (text.startsWith('SELECT key')) {
      const found = (values[0] as string[]).flatMap((key) => {
        const known = keys.get(key)
        return known ? [{ key, seq: String(known.seq), body_hash: known.bodyHash }] : []
      })
      return { rows: found }
    }
    const [, tried = [], hashes = []] = values as [unknown, string[]?, string[]?]
    const stored = tried.flatMap((key, i) => {
      last++
      if (keys.has(key)) return []
      keys.set(key, { seq: last, bodyHash: hashes[i] ?? '' })
      return [{ ord: i + 1, seq: String(last) }]
    })
    return { rows: stored }
  }
  return {
    asked,
    session: { id: 4, query: query as never },
    stores: () => asked.filter(({ text }) => text.startsWith('WITH')),
  }
}

const numbers = () => new Map<string, number>()

test('arrivals are recorded in one statement, and a repeated arrival is a duplicate of the first arrival', async () => {
  const { session, stores } = played()
  const recorded = await record(session, batch([arrival('e1'), arrival('e2'), arrival('e1')]), numbers())
  expect(recorded).toEqual([
    { fate: 'new', seq: 1 },
    { fate: 'new', seq: 2 },
    { fate: 'duplicate', seq: 1 },
  ])
  expect(stores()).toHaveLength(1)
  expect(stores()[0]?.values[16]).toBe(4)
})

test('a destination gets its number once, however many arrivals and batches it has', async () => {
  const { session, asked, stores } = played()
  const known = numbers()
  const at = (id: string, destination: string) => arrival(id, { destination })
  await record(session, batch([at('e1', '/a'), at('e2', '/b'), at('e3', '/a')]), known)
  expect([...known]).toEqual([
    ['/a', 1],
    ['/b', 2],
  ])
  expect(stores()[0]?.values[3]).toEqual([1, 2, 1])
  await record(session, batch([at('e4', '/b')]), known)
  expect(asked.filter(({ text }) => text.includes('bnpl_inbox.destinations (name)'))).toHaveLength(2)
})

test('an event that was seen before is a duplicate with the same body, and a variant with another', async () => {
  const { session, stores } = played()
  const other = arrival('e1', { body: Buffer.from('other') })
  await record(session, batch([arrival('e1')]), numbers())
  const known = numbers()
  const recorded = await record(session, batch([arrival('e1'), other, other, arrival('e2')]), known)
  expect(recorded.map(({ fate }) => fate)).toEqual(['duplicate', 'variant', 'duplicate', 'new'])
  expect(recorded[0]?.seq).toBe(1)
  // A second statement stores the variant of the first event, without results of forward attempts.
  const variants = stores().at(-1)?.values ?? []
  expect([variants[5], variants[9]]).toEqual([['variant'], [1]])
  expect([variants[17], variants[24]]).toEqual([[], 0])
})

test('of two bodies of an event in one batch the first is the event, and each other one a variant of it', async () => {
  const { session, stores } = played()
  const body = (text: string) => arrival('e1', { body: Buffer.from(text) })
  const recorded = await record(session, batch([body('one'), body('two'), body('three'), body('two')]), numbers())
  expect(recorded.map(({ fate }) => fate)).toEqual(['new', 'variant', 'variant', 'duplicate'])
  expect(stores()[0]?.values[2]).toEqual([shortHash('one')])
  expect(stores()[1]?.values[2]).toEqual([shortHash('two'), shortHash('three')])
})

test('a batch of new events needs no lookup, and a batch of known events needs no statement for variants', async () => {
  const { session, stores, asked } = played()
  await record(session, batch([arrival('e1')]), numbers())
  expect(asked.filter(({ text }) => text.startsWith('SELECT key'))).toHaveLength(0)
  await record(session, batch([arrival('e1')]), numbers())
  expect([stores().length, asked.filter(({ text }) => text.startsWith('SELECT key')).length]).toEqual([2, 1])
})

test('a body that is not an envelope is known by its bytes, whatever id was found in it', async () => {
  const { session } = played()
  const odd = (body: string, eventId: string | null = null) =>
    arrival('', { eventId, event: null, odd: 'it has no data', body: Buffer.from(body) })
  const recorded = await record(session, batch([odd('[1]'), odd('[2]'), odd('[1]'), odd('[1]', 'e1')]), numbers())
  expect(recorded.map(({ fate }) => fate)).toEqual(['quarantined', 'quarantined', 'duplicate', 'duplicate'])
})

test('forward results and the mark of emitted events are stored in the statement for arrivals', async () => {
  const { session, stores } = played()
  const said = { ...result(3, 'retrying'), answer: 'no\0room' }
  const notes = { forwards: [result(3, 'delivered'), result(4, 'dead'), said], emittedUpTo: 12 }
  await record(session, batch([], notes), numbers())
  const values = stores()[0]?.values ?? []
  expect(values[17]).toEqual([3, 4])
  expect(values[18]).toEqual(['retrying', 'dead'])
  // PostgreSQL cannot store the character 0 in a text.
  const answers = ['no\ufffdroom', null]
  expect(values.slice(19)).toEqual([[1, 1], [200, 200], [null, null], [4, 4], [2000, 2000], 12, answers, [1000, 1000]])
})

test('all bodies of a batch are sent as one value, with the position and the length of each body', async () => {
  const { session, stores } = played()
  const bodies = ['one', '', 'three']
  await record(session, batch(bodies.map((body, i) => arrival(`e${i}`, { body: Buffer.from(body) }))), numbers())
  const values = stores()[0]?.values ?? []
  expect(String(values[0])).toBe('onethree')
  expect([values[14], values[15]]).toEqual([
    [1, 4, 4],
    [3, 0, 5],
  ])
  expect(values[2]).toEqual(bodies.map(shortHash))
})

test('everything about an arrival is stored; only a new event is forwarded', async () => {
  const { session, asked } = played()
  const token = { scheme: 'token', event: 'new_lead', contentType: null, signature: null } as const
  const odd = { eventId: null, event: null, odd: 'it has no data', body: Buffer.from('[1]') }
  const given = [
    arrival('e1', { forward: true }),
    arrival('nul\0', { ...token, destination: '/other', receivedAt: 2000 }),
    arrival('', { ...odd, forward: true }),
  ]
  await record(session, batch(given), numbers())
  const [{ values = [] } = {}] = asked.filter(({ text }) => text.startsWith('WITH'))
  expect(values.slice(3, 14)).toEqual([
    [1, 2, 1],
    ['hmac', 'token', 'hmac'],
    ['new', 'new', 'quarantined'],
    ['e1', null, null],
    ['loan_approved', 'new_lead', null],
    [null, null, 'it has no data'],
    [null, null, null],
    ['application/json', null, 'application/json'],
    ['aa', null, 'aa'],
    [1000, 2000, 1000],
    [true, false, false],
  ])
})

test('an arrival that the database neither stores nor knows is a fault', async () => {
  const session = {
    id: 1,
    query: (async (given: unknown) => ({ rows: typeof given === 'string' ? [{ id: 1 }] : [] })) as never,
  }
  await expect(record(session, batch([arrival('e1')]), numbers())).rejects.toThrow(
    'an arrival is neither stored nor known',
  )
})
