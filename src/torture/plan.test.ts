import { describe, expect, test } from 'vitest'
import { ENDPOINT_NAMES } from '../contract/endpoints.ts'
import { isObscure, PARTS, type Place, placeName, repeatOf, TORTURES } from './fault-table.ts'
import { isByChance, mayReach, planRuns, readRun, steadyPlaces } from './plan.ts'

const PLACES: readonly Place[] = [
  { name: 'registerWebhook', nth: 1 },
  { name: 'evaluate', nth: 1 },
  { name: 'verifyLoan', nth: 1 },
  { name: 'verifyLoan', nth: 2 },
  { name: 'cancelLoan', nth: 1 },
  { name: 'delivery', nth: 1 },
  { name: 'page', nth: 1 },
]
const SHOP = { orders: 'orders', restart: 'serve', settle: 'settle' }
const ALL: Parameters<typeof planRuns>[1] = { only: PARTS, seed: 1, limit: undefined, shop: SHOP }
const ids = (choice: Partial<typeof ALL>) => planRuns(PLACES, { ...ALL, ...choice }).map(({ id }) => id)

test('every fault is planned at the places of its kind, and each run has an id of its own', () => {
  const all = ids({})
  expect(new Set(all).size).toBe(all.length)
  expect(new Set(all.map((id) => id.split('@')[0]))).toEqual(new Set(TORTURES.map(({ id }) => id)))
  expect(new Set(all.map((id) => id.split('@')[1]))).toEqual(new Set(PLACES.map(placeName)))
  expect(all).toContain('cut-after@evaluate.1')
  expect(all).toContain('never@delivery.1')
  expect(all).toContain('forged@page.1')
  expect(all).not.toContain('cut-after@delivery.1')
})

test('a run can be read back from its id, and a text that is not the id of a run is refused', () => {
  for (const run of planRuns(PLACES, ALL)) expect(readRun(run.id)).toEqual(run)
  for (const text of [
    '',
    'none',
    'cut-after',
    'cut-after@evaluate',
    'cut-after@evaluate.0',
    'cut-after@page.1',
    'x@evaluate.1',
  ])
    expect([text, readRun(text)]).toEqual([text, undefined])
})

test('--only limits the plan to the named parts', () => {
  const sorts = (only: typeof ALL.only) =>
    new Set(planRuns(PLACES, { ...ALL, only }).map(({ torture }) => torture.sort))
  expect(sorts(['page'])).toEqual(new Set(['page', 'visit']))
  expect(sorts(['clock'])).toEqual(new Set(['clock', 'restart']))
})

test('--only refund selects every fault at a cancellation, and no other part has one of these', () => {
  const cancels = (only: typeof ALL.only) => ids({ only }).filter((id) => id.endsWith('@cancelLoan.1'))
  expect(cancels(['refund'])).toEqual(ids({ only: ['refund'] }))
  expect(cancels(['refund'])).toEqual(
    expect.arrayContaining(['cut-after', 'done-500', 'no-answer', 'killed'].map((id) => `${id}@cancelLoan.1`)),
  )
  expect(cancels(PARTS.filter((part) => part !== 'refund'))).toEqual([])
})

test('the same seed selects the same sample, another seed another sample, and a sample keeps the order of the plan', () => {
  const sample = ids({ limit: 10 })
  expect(sample).toHaveLength(10)
  expect(ids({ limit: 10 })).toEqual(sample)
  expect(ids({ limit: 10, seed: 2 })).not.toEqual(sample)
  expect(ids({}).filter((id) => sample.includes(id))).toEqual(sample)
  expect(ids({ limit: 10_000 })).toEqual(ids({}))
})

test('a sample has every fault once before a fault is used a second time, and each time at another endpoint', () => {
  const faults = new Set(ids({}).map((id) => id.split('@')[0])).size
  // After the first round, the outage is also used at the cancellation, and the shop is also killed at three other places.
  const round = faults + 4
  const first = ids({ limit: round })
  expect(new Set(ids({ limit: faults }).map((id) => id.split('@')[0])).size).toBe(faults)
  expect(new Set(first.map((id) => id.split('@')[0])).size).toBe(faults)
  expect(first).toEqual(
    expect.arrayContaining(['outage@cancelLoan.1', 'cut-before@cancelLoan.1', 'killed@verifyLoan.1', 'killed@page.1']),
  )
  expect(first).toContain('cut-after@evaluate.1')
  expect(first).toContain('outage@verifyLoan.1')
  expect(ids({ limit: 2 * round })).toContain('cut-after@verifyLoan.1')
})

test('the first use of every fault has an answer of unknown outcome at each call that must not be repeated', () => {
  const names = ENDPOINT_NAMES.filter((name) => repeatOf(name) === 'never')
  const places: Place[] = [...PLACES, ...names.map((name) => ({ name, nth: 1 }))]
  const faults = new Set(planRuns(places, ALL).map(({ torture }) => torture.id)).size
  const first = planRuns(places, { ...ALL, limit: faults }).filter(({ torture }) => isObscure(torture))
  expect(first.map(({ place }) => place.name)).toEqual(expect.arrayContaining(names))
})

test('without --orders the plan has no run that waits for the list of orders', () => {
  expect(ids({ shop: { ...SHOP, orders: undefined } }).filter((id) => id.startsWith('orders-read'))).toEqual([])
})

test('without --settle no run spoils it, and an outage begins once for each endpoint', () => {
  expect(ids({ shop: { ...SHOP, settle: undefined } }).filter((id) => id.startsWith('settle'))).toEqual([])
  expect(ids({}).filter((id) => id.startsWith('outage'))).toEqual([
    'outage@registerWebhook.1',
    'outage@evaluate.1',
    'outage@verifyLoan.1',
    'outage@cancelLoan.1',
    'outage-after@cancelLoan.1',
  ])
})

test('every fault says what a right shop does and what to do', () => {
  for (const { id, does, right, fix } of TORTURES)
    expect([id, does !== '', right !== '', /^[A-Z].*\.$/.test(fix)]).toEqual([id, true, true, true])
})

test('without --restart no run kills the shop; with --restart one run kills the shop at every place', () => {
  const killed = (restart: string | undefined) =>
    ids({ shop: { ...SHOP, restart } }).filter((id) => id.startsWith('killed'))
  expect(killed(undefined)).toEqual([])
  expect(killed('serve')).toEqual(PLACES.map((place) => `killed@${placeName(place)}`))
})

test.each([
  ['cut-after@verifyLoan.2', false],
  ['cut-after@verifyLoan.3', true],
  ['orders-read@verifyLoan.4', true],
  ['minutes-pass@listWebhooks.1', false],
  ['minutes-pass@listWebhooks.2', true],
  ['cut-after@evaluate.2', false],
  ['cut-after@evaluate.3', false],
  ['cut-after@cancelLoan.1', false],
  ['twice@delivery.2', false],
  ['never@delivery.1', false],
  ['late@delivery.1', true],
  ['out-of-order@delivery.2', true],
  ['expired@page.1', false],
])('after a first run with two transactions, chance decides whether %s is reached: %s', (id, expected) => {
  const called = (name: Place['name'], ...ids: (string | undefined)[]) =>
    ids.map((externalTrxId) => ({ name, externalTrxId }))
  const calls = [
    ...called('listWebhooks', undefined, undefined),
    ...called('evaluate', 'A', 'B'),
    ...called('verifyLoan', 'A', 'A', 'B'),
  ]
  const run = readRun(id)!
  expect(isByChance(run, calls, { restart: undefined })).toBe(expected)
  // A server that does not end with the test receives every late event.
  const isLate = id.startsWith('late') || id.startsWith('out-of-order')
  expect(isByChance(run, calls, { restart: 'serve' })).toBe(expected && !isLate)
})

describe('the places of a call that may be repeated', () => {
  /** Returns the places of a shop's calls in their order, one call for each of these transactions. */
  const placesOf = (name: 'verifyLoan' | 'evaluate', ...transactions: string[]) => {
    const calls = transactions.map((externalTrxId, at) => ({ name, nth: at + 1, externalTrxId }))
    return steadyPlaces(calls, calls).map(placeName)
  }
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `verifyLoan.${at + 1}`)

  test('are equal in number whether the event or the customer arrives first', () => {
    expect(placesOf('verifyLoan', 'A')).toEqual(numbered(2))
    expect(placesOf('verifyLoan', 'A', 'A')).toEqual(numbered(2))
    expect(placesOf('verifyLoan', 'A', 'B', 'B')).toEqual(numbered(4))
    expect(placesOf('verifyLoan', 'A', 'A', 'B')).toEqual(numbered(4))
  })

  test('are limited to four, however often a shop polls', () => {
    for (const polls of [3, 4, 5, 8, 9, 100])
      expect(placesOf('verifyLoan', ...Array(polls).fill('A'))).toEqual(numbered(4))
  })

  test('are four for a shop that cancels the loan, whether the event or the customer arrives first', () => {
    const cancel = { name: 'cancelLoan', nth: 1, externalTrxId: 'A' } as const
    for (const count of [1, 2, 3, 4]) {
      const calls = Array.from(
        { length: count },
        (_, at) => ({ name: 'verifyLoan', nth: at + 1, externalTrxId: 'A' }) as const,
      )
      expect(steadyPlaces([...calls, cancel], [...calls, cancel]).map(placeName)).toEqual([
        ...numbered(4),
        'cancelLoan.1',
      ])
    }
  })

  test('are handled separately: other calls and deliveries keep exactly the places that the shop reached', () => {
    expect(placesOf('evaluate', 'A', 'A', 'A')).toEqual(['evaluate.1', 'evaluate.2', 'evaluate.3'])
    const deliveries: Place[] = [1, 2, 3].map((nth) => ({ name: 'delivery', nth }))
    expect(steadyPlaces(deliveries, [])).toEqual(deliveries)
  })

  test('may exceed the places of the first run, while the places of other calls may not', () => {
    const places: Place[] = [
      { name: 'verifyLoan', nth: 1 },
      { name: 'evaluate', nth: 1 },
    ]
    const reached = (name: Place['name'], nth: number) => mayReach(places, { name, nth })
    expect([reached('verifyLoan', 9), reached('evaluate', 1), reached('evaluate', 2), reached('page', 1)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
