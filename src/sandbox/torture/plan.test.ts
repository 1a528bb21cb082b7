import { expect, test } from 'vitest'
import { TORTURES } from './fault-table.ts'
import { PARTS, type Place, placeName } from './place.ts'
import { planRuns, readRun, steadyPlaces } from './plan.ts'

const PLACES: readonly Place[] = [
  { name: 'evaluate', nth: 1 },
  { name: 'verifyLoan', nth: 1 },
  { name: 'verifyLoan', nth: 2 },
  { name: 'delivery', nth: 1 },
  { name: 'page', nth: 1 },
]
const ALL: Parameters<typeof planRuns>[1] = { only: PARTS, seed: 1, limit: undefined, hasOrders: true, hasServer: true }
const ids = (choice: Partial<typeof ALL>) => planRuns(PLACES, { ...ALL, ...choice }).map(({ id }) => id)

test('every fault is at every place of its kind, and each run has an id of its own', () => {
  const all = ids({})
  expect(new Set(all).size).toBe(all.length)
  expect(new Set(all.map((id) => id.split('@')[0]))).toEqual(new Set(TORTURES.map(({ id }) => id)))
  expect(new Set(all.map((id) => id.split('@')[1]))).toEqual(new Set(PLACES.map(placeName)))
  expect(all).toContain('cut-after@evaluate.1')
  expect(all).toContain('never@delivery.1')
  expect(all).toContain('forged@page.1')
  expect(all).not.toContain('cut-after@delivery.1')
})

test('a run is found again by its id, and another text is no run', () => {
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

test('--only takes the parts that it names', () => {
  const sorts = (only: typeof PARTS | readonly ['page'] | readonly ['clock']) =>
    new Set(planRuns(PLACES, { ...ALL, only }).map(({ torture }) => torture.sort))
  expect(sorts(['page'])).toEqual(new Set(['page']))
  expect(sorts(['clock'])).toEqual(new Set(['clock', 'restart']))
})

test('the same seed takes the same sample, and another seed another one; the order is that of the plan', () => {
  const sample = ids({ limit: 10 })
  expect(sample).toHaveLength(10)
  expect(ids({ limit: 10 })).toEqual(sample)
  expect(ids({ limit: 10, seed: 2 })).not.toEqual(sample)
  expect(ids({}).filter((id) => sample.includes(id))).toEqual(sample)
  expect(ids({ limit: 10_000 })).toEqual(ids({}))
})

test('without --orders no run waits for them', () => {
  expect(ids({ hasOrders: false }).filter((id) => id.startsWith('orders-read'))).toEqual([])
})

test('without --restart no run kills the shop; with it one does at every place', () => {
  const killed = (hasServer: boolean) => ids({ hasServer }).filter((id) => id.startsWith('killed'))
  expect(killed(false)).toEqual([])
  expect(killed(true)).toEqual(PLACES.map((place) => `killed@${placeName(place)}`))
})

test('calls that may be repeated have as many places however often the moment made the shop repeat them', () => {
  const names = (...seen: Place[]) => steadyPlaces(seen).map(placeName)
  const verified = (count: number) =>
    Array.from({ length: count }, (_, at): Place => ({ name: 'verifyLoan', nth: at + 1 }))
  const once: Place = { name: 'evaluate', nth: 1 }
  expect(names(once, ...verified(1))).toEqual(['evaluate.1', 'verifyLoan.1', 'verifyLoan.2'])
  expect(names(once, ...verified(2))).toEqual(['evaluate.1', 'verifyLoan.1', 'verifyLoan.2'])
  expect(names(...verified(3))).toEqual(names(...verified(4)))
  expect(names({ name: 'delivery', nth: 1 }, { name: 'delivery', nth: 2 })).toEqual(['delivery.1', 'delivery.2'])
})
