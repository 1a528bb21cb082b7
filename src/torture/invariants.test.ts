import { describe, expect, test } from 'vitest'
import type { Facts, Moment, ShopOrder } from './facts.ts'
import { findingsOf } from './findings.ts'
import { INVARIANTS, type InvariantName } from './invariants.ts'
import { readRun } from './plan.ts'

const ORDER: ShopOrder = { externalTrxId: 'A', paid: true, fulfilled: 1 }
const NONE = new Set<string>()
const A = new Set(['A'])
const moment = (orders: readonly ShopOrder[], given: Partial<Moment> = {}): Moment => ({
  when: 'at the end',
  orders,
  loans: A,
  cancelled: NONE,
  proven: A,
  ...given,
})
const LOAN = { externalTrxId: 'A', amount: 1_000, installments: 3, cancelledAt: null }
const books = (loans: Facts['books']['loans']): Facts['books'] => ({
  evaluations: [],
  payments: [],
  loans,
  secrets: [],
})
const CANCELLED = books([{ ...LOAN, cancelledAt: '2026-11-28T12:00:00.000Z' }])
const REFUNDED: ShopOrder = { ...ORDER, paid: false, refunded: true }
const call = (name: string, nth: number, status: number, externalTrxId = 'A') => ({
  name,
  nth,
  status,
  externalTrxId,
  isTrue: true,
})
/** Evaluations of one customer for one amount, each with a transaction of its own. The last one is A. */
const evaluations = (statuses: readonly number[]) =>
  statuses.map((status, at) => ({
    ...call('evaluate', at + 1, status, at === statuses.length - 1 ? 'A' : `T${at + 1}`),
    buyer: 'Ana 1000',
  }))
const delivery = (...answers: number[]) => ({ subject: 'A', isUnderWay: false, answers, duplicates: [] as number[] })

/** A run that breaks no invariant. */
const RIGHT: Facts = {
  books: books([LOAN]),
  returned: new Set(),
  acceptsForged: false,
  calls: [call('evaluate', 1, 200), call('verifyLoan', 1, 200)],
  deliveries: [delivery(200)],
  moments: [moment([ORDER])],
  unreadable: undefined,
  notRunning: undefined,
  ended: { code: 0, hung: false },
  settled: { code: 0, hung: false },
  leaks: [],
}
const LINE = { command: ['npm', 'test'], options: ['--seed', '1'] }

function broken(facts: Partial<Facts>, run?: string): InvariantName[] {
  const reference = { run: run === undefined ? undefined : readRun(run), loans: 1, listsOpenOrders: true }
  return findingsOf({ ...RIGHT, ...facts }, reference, ['A'], LINE).map(({ invariant }) => invariant)
}

test('a run with correct results breaks no invariant', () => {
  expect(broken({})).toEqual([])
  expect(broken({}, 'cut-after@evaluate.1')).toEqual([])
})

describe('an invariant breaks', () => {
  const CASES: readonly [InvariantName, string, Partial<Facts>, run?: string][] = [
    [
      'paid-without-loan',
      'a paid order has no loan',
      { books: books([]), moments: [moment([ORDER], { loans: NONE, proven: NONE })] },
    ],
    [
      'paid-without-loan',
      'an unpaid order without a loan is fulfilled',
      { books: books([]), moments: [moment([{ ...ORDER, paid: false }], { loans: NONE, proven: NONE })] },
    ],
    [
      'paid-without-loan',
      'it was so only for a moment',
      { moments: [moment([ORDER], { loans: NONE, proven: NONE }), moment([ORDER])] },
    ],
    [
      'fulfilled-before-loan',
      'nothing had shown the loan',
      { moments: [moment([ORDER], { proven: NONE }), moment([ORDER])] },
    ],
    ...(['amount', 'transaction', 'state'] as const).flatMap((field) =>
      [`other-${field}@verifyLoan.1`, `settle-${field}@page.1`]
        .filter((run) => readRun(run) !== undefined)
        .map((run): [InvariantName, string, Partial<Facts>, string] => [
          `${field}-not-compared`,
          `every verification was false in ${run}`,
          { moments: [moment([ORDER], { proven: NONE }), moment([ORDER])] },
          run,
        ]),
    ),
    ['fulfilled-twice', 'an order is fulfilled twice', { moments: [moment([{ ...ORDER, fulfilled: 2 }])] }],
    ['loan-without-order', 'the order of a loan is not listed', { moments: [moment([])] }],
    [
      'loan-without-order',
      'the order of a loan is not paid',
      { moments: [moment([{ ...ORDER, paid: false, fulfilled: 0 }])] },
    ],
    [
      'loan-without-order',
      '--settle did not mend it, and says so',
      { moments: [moment([])], settled: { code: 1, hung: false } },
    ],
    [
      'loan-without-order',
      'the shop had learnt of the loan, without --settle',
      { moments: [moment([])], settled: undefined },
    ],
    [
      'cancelled-still-paid',
      'the order of a cancelled loan is paid after --settle',
      { books: CANCELLED, moments: [moment([ORDER], { cancelled: A })] },
    ],
    [
      'cancelled-still-paid',
      'the cancellation was answered, without --settle',
      {
        books: CANCELLED,
        calls: [call('verifyLoan', 1, 200), call('cancelLoan', 1, 200)],
        moments: [moment([ORDER], { cancelled: A })],
        settled: undefined,
      },
    ],
    [
      'cancelled-still-paid',
      'a verification after the lost answer shows it, without --settle',
      {
        books: CANCELLED,
        calls: [call('cancelLoan', 1, 0), call('verifyLoan', 1, 200)],
        moments: [moment([ORDER], { cancelled: A })],
        settled: undefined,
      },
    ],
    [
      'fulfilled-after-cancel',
      '--settle ships an order that was refunded before it was shipped',
      {
        books: CANCELLED,
        moments: [moment([{ ...REFUNDED, fulfilled: 0 }], { cancelled: A }), moment([REFUNDED], { cancelled: A })],
      },
    ],
    ['refunded-without-cancel', 'the loan is not cancelled', { moments: [moment([REFUNDED])] }],
    [
      'refunded-without-cancel',
      'it was so only before the cancellation was answered',
      { books: CANCELLED, moments: [moment([REFUNDED]), moment([REFUNDED], { cancelled: A })] },
      'orders-read@cancelLoan.1',
    ],
    ...[0, 503].map((status): [InvariantName, string, Partial<Facts>, string] => [
      'second-cancellation',
      `a cancellation is repeated after ${status === 0 ? 'no answer' : status}`,
      { calls: [call('verifyLoan', 1, 200), call('cancelLoan', 1, status), call('cancelLoan', 2, 200)] },
      `${status === 0 ? 'cut-after' : 'done-503'}@cancelLoan.1`,
    ]),
    [
      'second-cancellation',
      'the verification before the repetition got no answer',
      { calls: [call('cancelLoan', 1, 0), call('verifyLoan', 1, 0), call('cancelLoan', 2, 200)] },
      'cut-after@cancelLoan.1',
    ],
    ['paid-not-fulfilled', 'a paid order is never fulfilled', { moments: [moment([{ ...ORDER, fulfilled: 0 }])] }],
    ['other-amount', 'the amount differs', { moments: [moment([{ ...ORDER, amount: 999 }])] }],
    ['other-amount', 'the installments differ', { moments: [moment([{ ...ORDER, installments: 6 }])] }],
    [
      'second-evaluation',
      'an evaluation without an answer is repeated',
      { calls: [call('evaluate', 1, 0), call('evaluate', 2, 200)] },
    ],
    [
      'second-evaluation',
      'one whose answer cannot be read is repeated',
      { calls: [call('evaluate', 1, 200), call('evaluate', 2, 200)] },
      'half-body@evaluate.1',
    ],
    ...['evaluate', 'select', 'startWidget'].flatMap((name) =>
      ['done-500', 'done-503', 'no-answer'].map((fault): [InvariantName, string, Partial<Facts>, string] => [
        'second-evaluation',
        `${name} is repeated after ${fault}`,
        { calls: [call(name, 1, fault === 'no-answer' ? 0 : 503), call(name, 2, 200)] },
        `${fault}@${name}.1`,
      ]),
    ),
    ...(
      [
        ['no answer came', [0, 200]],
        ['two answers did not come', [0, 0, 200]],
        ['the answer cannot be read', [200, 200]],
      ] as const
    ).map(([what, statuses]): [InvariantName, string, Partial<Facts>, string] => [
      'evaluated-again',
      `the customer is evaluated again with another transaction when ${what}, and only the last order is kept`,
      { calls: evaluations(statuses), books: books([LOAN]), moments: [moment([ORDER])] },
      'half-body@evaluate.1',
    ]),
    [
      'second-loan',
      'there is one loan more than without the fault',
      { books: books([LOAN, { ...LOAN, externalTrxId: 'B' }]), moments: undefined },
    ],
    ['refused-delivery', 'a delivery is refused every time', { deliveries: [delivery(401, 401)] }],
    ['refused-delivery', 'a delivery is redirected', { deliveries: [delivery(302)] }],
    [
      'refused-duplicate',
      'a copy of a delivery is answered with 500',
      { deliveries: [{ ...delivery(200, 500), duplicates: [500] }] },
    ],
    ['accepted-forgery', 'a forged event is answered with 2xx', { acceptsForged: true }, 'forged@page.1'],
    ['leak', 'a key is written', { leaks: [{ where: 'stderr', what: 'an API key' }] }],
    ['hang', 'the command does not end', { ended: { code: 137, hung: true } }, 'late@delivery.1'],
    ['hang', '--settle does not end', { settled: { code: 137, hung: true } }],
    [
      'ends-otherwise',
      'the command fails with a fault that can be survived',
      { ended: { code: 1, hung: false } },
      'twice@delivery.1',
    ],
    [
      'not-running',
      'the server of the shop does not start again',
      { notRunning: 'the server ended with exit code 1 before it listened on its port' },
      'killed@page.1',
    ],
    ['orders-unreadable', 'the orders cannot be read', { unreadable: 'line 1 is not JSON' }],
  ]

  test.each(CASES)('%s: %s', (invariant, _, facts, run) => {
    expect(new Set(broken(facts, run))).toEqual(new Set([invariant]))
  })

  test('at least one case exists for every invariant', () => {
    expect(new Set(CASES.map(([invariant]) => invariant))).toEqual(new Set(Object.keys(INVARIANTS)))
  })
})

describe('no invariant breaks', () => {
  test.each<[string, Partial<Facts>, run?: string]>([
    [
      'an evaluation after 429 is sent again',
      { calls: [call('evaluate', 1, 429), call('evaluate', 2, 200)] },
      'rate-limited@evaluate.1',
    ],
    [
      'the customer begins again with another transaction',
      { calls: [call('evaluate', 1, 0), call('evaluate', 2, 200, 'B')] },
    ],
    [
      'the customer begins again, and the shop keeps both orders',
      {
        calls: evaluations([0, 200]),
        moments: [moment([{ ...ORDER, externalTrxId: 'T1', paid: false, fulfilled: 0 }, ORDER])],
      },
    ],
    [
      'the customer begins again, and the shop keeps neither order',
      { books: books([]), calls: evaluations([0, 0]), moments: [moment([])] },
    ],
    [
      'another customer, or the same customer with another amount, is evaluated',
      {
        calls: [
          { ...call('evaluate', 1, 0, 'T1'), buyer: 'Ana 1000' },
          { ...call('evaluate', 2, 200), buyer: 'Ana 2000' },
          { ...call('evaluate', 3, 200), buyer: 'Eva 1000' },
        ],
      },
    ],
    ['the first evaluation has a clear answer', { calls: evaluations([200, 200]) }],
    ['a verification is repeated', { calls: [call('verifyLoan', 1, 0), call('verifyLoan', 2, 200)] }],
    [
      'a loan is cancelled and its order is refunded',
      { books: CANCELLED, moments: [moment([ORDER]), moment([REFUNDED], { cancelled: A })] },
    ],
    [
      'a shop that does not list refunds lists the order of a cancelled loan as not paid',
      { books: CANCELLED, moments: [moment([{ ...ORDER, paid: false }], { cancelled: A })] },
    ],
    [
      'a cancellation is sent again after a verification',
      { calls: [call('cancelLoan', 1, 0), call('verifyLoan', 1, 200), call('cancelLoan', 2, 200)] },
      'cut-before@cancelLoan.1',
    ],
    [
      'a refused cancellation is sent again',
      { calls: [call('cancelLoan', 1, 429), call('cancelLoan', 2, 200)] },
      'rate-limited@cancelLoan.1',
    ],
    [
      'a cancellation of unknown outcome cannot be verified, without --settle',
      {
        books: CANCELLED,
        calls: [call('cancelLoan', 1, 0)],
        moments: [moment([ORDER], { cancelled: A })],
        settled: undefined,
      },
      'outage-after@cancelLoan.1',
    ],
    [
      'verifications say falsely that the loan is cancelled',
      { moments: [moment([REFUNDED])] },
      'other-state@verifyLoan.2',
    ],
    ['a delivery is taken when it is sent again', { deliveries: [delivery(503, 401, 200)] }],
    ['a delivery came when nobody was there', { deliveries: [delivery()] }],
    ['a copy of a delivery is to be sent again later', { deliveries: [{ ...delivery(200), duplicates: [503] }] }],
    ['a delivery is refused for now', { deliveries: [delivery(503, 429)] }],
    [
      'the command fails after an evaluation of unknown outcome',
      { ended: { code: 1, hung: false } },
      'cut-after@evaluate.1',
    ],
    [
      'a loan of which the shop could not know has no order, without --settle',
      { moments: [moment([], { proven: NONE })], settled: undefined },
    ],
    ['orders are not known', { moments: undefined }],
    ['the command fails because the shop was killed', { ended: { code: 1, hung: false } }, 'killed@verifyLoan.1'],
  ])('when %s', (_, facts, run) => {
    expect(broken(facts, run)).toEqual([])
  })
})

test('if the shop lists only paid orders, an order that is not listed shows nothing', () => {
  const facts = { ...RIGHT, calls: evaluations([0, 200]) }
  const found = (listsOpenOrders: boolean) =>
    findingsOf(facts, { run: undefined, loans: 1, listsOpenOrders }, [], LINE).map(({ invariant }) => invariant)
  expect([found(true), found(false)]).toEqual([['evaluated-again'], []])
})

test('a finding has the run, the expected and seen state, and a command to repeat the run; new ids become numbers', () => {
  const orders = [{ ...ORDER, externalTrxId: 'A-7f3c' }]
  const facts: Facts = {
    ...RIGHT,
    books: books([]),
    calls: [call('evaluate', 1, 0, 'A-7f3c')],
    moments: [moment(orders, { loans: NONE, proven: NONE, when: 'after the command had ended' })],
  }
  const line = { command: ['sh', '-c', 'npm test'], options: ['--orders', 'node orders.js', '--seed', '7'] }
  expect(findingsOf(facts, { run: readRun('cancelled@page.1'), loans: 1, listsOpenOrders: true }, ['A'], line)).toEqual(
    [
      {
        id: 'cancelled@page.1',
        fault: 'cancelled',
        at: 'page.1',
        invariant: 'paid-without-loan',
        expected: 'transaction 1 is not paid, because the service has no loan for it',
        seen: 'after the command had ended, the shop listed it as paid',
        reproduce: "bnpl sandbox torture --run cancelled@page.1 --orders 'node orders.js' --seed 7 -- sh -c 'npm test'",
      },
    ],
  )
})
