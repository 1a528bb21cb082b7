import { expect, test } from 'vitest'
import type { Facts, ShopOrder } from './facts.ts'
import { withoutEarlierOrders } from './findings.ts'

const sold = (externalTrxId: string): ShopOrder => ({ externalTrxId, paid: true, fulfilled: 1 })
const BEFORE = new Set(['of-yesterday', 'again'])
const call = (name: string, externalTrxId: string) => ({ name, nth: 1, status: 200, externalTrxId, isTrue: true })

/** A run whose shop lists a paid order of an earlier run, an id that was bought again, and a new order. */
const FACTS: Facts = {
  books: { evaluations: [], payments: [], loans: [], secrets: [] },
  acceptsForged: false,
  returned: new Set(),
  calls: [call('evaluate', 'again'), call('verifyLoan', 'of-yesterday')],
  deliveries: [],
  moments: ['in between', 'at the end'].map((when) => ({
    when,
    orders: [sold('of-yesterday'), sold('again'), sold('new')],
    loans: new Set(),
    cancelled: new Set(),
    proven: new Set(),
  })),
  unreadable: undefined,
  notRunning: undefined,
  ended: { code: 0, hung: false },
  settled: undefined,
  leaks: [],
}
const idsOf = ({ moments }: Facts) =>
  moments?.map(({ orders }) => orders.map(({ externalTrxId }) => externalTrxId).join(' '))

test('an order of an earlier run is refused if the command ended with exit code 0', () => {
  expect(() => withoutEarlierOrders(FACTS, BEFORE)).toThrow('the shop lists a paid order of an earlier run')
})

test.each<[string, Partial<Facts>]>([
  ['was killed at its time limit', { ended: { code: 137, hung: true } }],
  ['ended with another exit code', { ended: { code: 1, hung: false } }],
  ['was not run, because the server did not start', { notRunning: 'the server ended' }],
])('an order of an earlier run is left out if the command %s', (_, facts) => {
  expect(idsOf(withoutEarlierOrders({ ...FACTS, ...facts }, BEFORE))).toEqual(['again new', 'again new'])
})

test('an order of an earlier run that is no longer listed at the end is left out', () => {
  const [between, end] = FACTS.moments ?? []
  if (between === undefined || end === undefined) throw new Error('no moments')
  const moments = [between, { ...end, orders: [sold('new')] }]
  expect(idsOf(withoutEarlierOrders({ ...FACTS, moments }, BEFORE))).toEqual(['again new', 'new'])
})

test('without orders of an earlier run, all facts are the same', () => {
  expect(withoutEarlierOrders(FACTS, new Set())).toEqual(FACTS)
  expect(withoutEarlierOrders({ ...FACTS, moments: undefined }, BEFORE).moments).toBeUndefined()
})
