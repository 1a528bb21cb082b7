import type { EndpointName } from '../contract/endpoints.ts'
import { type Facts, isSold, type Moment } from './facts.ts'
import { isObscure, isSurvivable, isWithoutEvent } from './fault-table.ts'
import type { Run } from './plan.ts'

/** The run that is judged (undefined for the run without a fault), and the number of loans of the run without a fault. */
export interface Reference {
  run: Run | undefined
  loans: number
}

interface Breach {
  expected: string
  seen: string
}

interface Invariant {
  find(facts: Facts, reference: Reference): Breach[]
}

/** The rules that every run must obey, by the name that findings use. */
export const INVARIANTS = {
  /** An order is paid or fulfilled only if the service has a loan for it. */
  'paid-without-loan': {
    find: ({ moments }) =>
      atMoments(moments, ({ orders, loans }) =>
        orders
          .filter((order) => isSold(order) && !loans.has(order.externalTrxId))
          .map(({ externalTrxId, paid }) => ({
            expected: `${externalTrxId} is not paid, because the service has no loan for it`,
            seen: `the shop listed it as ${paid ? 'paid' : 'fulfilled'}`,
          })),
      ),
  },
  /** An order is paid or fulfilled only after its loan was shown to the shop. */
  'fulfilled-before-loan': {
    find: ({ moments }) =>
      atMoments(moments, ({ orders, loans, proven }) =>
        orders
          .filter((order) => isSold(order) && loans.has(order.externalTrxId) && !proven.has(order.externalTrxId))
          .map(({ externalTrxId, fulfilled }) => ({
            expected: `${externalTrxId} is not paid yet, because no verification and no genuine delivery has shown its loan`,
            seen: `the shop listed it as ${fulfilled > 0 ? 'fulfilled' : 'paid'}`,
          })),
      ),
  },
  /** An order is fulfilled only once. */
  'fulfilled-twice': {
    find: ({ moments }) =>
      atMoments(moments, ({ orders }) =>
        orders
          .filter(({ fulfilled }) => fulfilled > 1)
          .map(({ externalTrxId, fulfilled }) => ({
            expected: `${externalTrxId} is fulfilled only once`,
            seen: `the shop listed it as fulfilled ${fulfilled} times`,
          })),
      ),
  },
  /** With --settle, every loan has a paid order. Without --settle, every loan that the shop could know (`proven`) has a paid order. */
  'loan-without-order': {
    find: ({ moments, books, settled }) => {
      const last = moments?.at(-1)
      if (last === undefined) return []
      return books.loans
        .filter(({ externalTrxId }) => settled !== undefined || last.proven.has(externalTrxId))
        .filter(
          ({ externalTrxId }) => !last.orders.some((order) => order.externalTrxId === externalTrxId && order.paid),
        )
        .map(({ externalTrxId }) => ({
          expected: `${externalTrxId} is paid, because the service has its loan`,
          seen: `the shop ${last.orders.some((order) => order.externalTrxId === externalTrxId) ? 'lists it as not paid' : 'does not list it'}${settledInWords(settled)}`,
        }))
    },
  },
  /** When --settle has succeeded, every paid order is fulfilled. */
  'paid-not-fulfilled': {
    find: ({ moments, settled }) =>
      settled?.code !== 0
        ? []
        : (moments?.at(-1)?.orders ?? [])
            .filter(({ paid, fulfilled }) => paid && fulfilled === 0)
            .map(({ externalTrxId }) => ({
              expected: `${externalTrxId} is fulfilled, because it is paid and --settle ended with exit code 0`,
              seen: 'the shop never fulfilled it',
            })),
  },
  /** An order has the amount and the installments of its loan. */
  'other-amount': {
    find: ({ moments, books }) =>
      books.loans.flatMap(({ externalTrxId, amount, installments }) => {
        const order = moments?.at(-1)?.orders.find((each) => each.externalTrxId === externalTrxId && each.paid)
        if (order === undefined) return []
        const differs = (said: number | undefined, is: number) => said !== undefined && said !== is
        if (!differs(order.amount, amount) && !differs(order.installments, installments)) return []
        return [
          {
            expected: `${externalTrxId} has ${amount} in ${installments} installments`,
            seen: `the shop lists ${order.amount ?? amount} in ${order.installments ?? installments} installments`,
          },
        ]
      }),
  },
  /** An `evaluate` or `select` call whose outcome is unknown is not sent again. */
  'second-evaluation': {
    find: ({ calls }, { run }) => {
      const names: readonly string[] = NEVER_REPEATED
      const unknown = calls.filter(
        ({ name, nth, status }) =>
          names.includes(name) &&
          (status === 0 || (run !== undefined && isObscure(run.torture) && isAt(run, name, nth))),
      )
      return unknown.flatMap(({ name, nth, externalTrxId }) => {
        const again = calls.filter(
          (call) => call.name === name && call.nth > nth && call.externalTrxId === externalTrxId,
        )
        return again.length === 0 || externalTrxId === undefined
          ? []
          : [
              {
                expected: `the call ${name} is not sent again for ${externalTrxId}, because the first call may have been carried out`,
                seen: `it was sent ${again.length === 1 ? 'once' : `${again.length} times`} more`,
              },
            ]
      })
    },
  },
  /** One purchase has one loan. */
  'second-loan': {
    find: ({ books }, { loans }) =>
      books.loans.length <= loans
        ? []
        : [
            {
              expected: `the service has ${loans === 1 ? 'one loan' : `${loans} loans`}, as without the fault`,
              seen: `the service has these loans: ${books.loans.map(({ externalTrxId }) => externalTrxId).join(', ')}`,
            },
          ],
  },
  /** Every genuine delivery is accepted in the end. */
  'refused-delivery': {
    find: ({ deliveries }) =>
      deliveries
        .filter(({ answers }) => answers.some(isRefusal) && !answers.some(isSuccess))
        .map(({ subject, answers }) => ({
          expected: `the delivery about ${subject} is answered with 2xx, at the latest when it is sent again`,
          seen: `the shop answered ${answers.find(isRefusal)}`,
        })),
  },
  /** The shop writes no key anywhere, and no secret or national id into a log. */
  leak: {
    find: ({ leaks }) =>
      leaks.map(({ where, what }) => ({
        expected: `${where} does not contain ${what}`,
        seen: `it contains ${what}`,
      })),
  },
  /** The command ends. */
  hang: {
    find: ({ ended, settled }) => [
      ...(ended.hung
        ? [{ expected: 'the command ends', seen: 'it was still running when its time limit was over' }]
        : []),
      ...(settled?.hung
        ? [{ expected: '--settle ends', seen: 'it was still running when its time limit was over' }]
        : []),
    ],
  },
  /**
   * The command ends with exit code 0 despite every fault that a shop can handle. If no event was delivered, the order of a customer who did
   * not return may be unpaid until --settle repairs it.
   */
  'ends-otherwise': {
    find: (facts, { run }) =>
      run === undefined ||
      facts.ended.hung ||
      facts.ended.code === 0 ||
      !isSurvivable(run.torture, run.place.name) ||
      (isWithoutEvent(run.torture) && isRepaired(facts))
        ? []
        : [
            {
              expected: 'the command ends with exit code 0, as without the fault',
              seen: `it ended with exit code ${facts.ended.code}`,
            },
          ],
  },
  /** The server of the shop runs until it is killed, and starts again afterwards. */
  'not-running': {
    find: ({ notRunning }) =>
      notRunning === undefined
        ? []
        : [
            {
              expected: 'the server of --restart runs until it is killed, and can be started again',
              seen: notRunning,
            },
          ],
  },
  /** The shop can list its orders. */
  'orders-unreadable': {
    find: ({ unreadable }) =>
      unreadable === undefined
        ? []
        : [{ expected: '--orders prints the orders as NDJSON and ends with exit code 0', seen: unreadable }],
  },
} as const satisfies Readonly<Record<string, Invariant>>

export type InvariantName = keyof typeof INVARIANTS

export const NEED_ORDERS: readonly InvariantName[] = [
  'paid-without-loan',
  'fulfilled-before-loan',
  'fulfilled-twice',
  'loan-without-order',
  'paid-not-fulfilled',
  'other-amount',
]

/** Calls that begin an evaluation or a loan. A shop must not repeat them when their outcome is unknown. */
const NEVER_REPEATED: readonly EndpointName[] = ['evaluate', 'select']

const isAt = ({ place }: Run, name: string, nth: number) => place.name === name && place.nth === nth

/** Whether a status refuses a delivery. 5xx, 408, 409, 423, 425 and 429 are not refusals, because they mean “send it again later”. */
const isRefusal = (status: number) => status >= 300 && status < 500 && ![408, 409, 423, 425, 429].includes(status)

const isSuccess = (status: number) => status >= 200 && status < 300

/** Returns the breaches at all moments. A breach that is seen at several moments is listed only for the first of them. */
function atMoments(moments: Facts['moments'], find: (moment: Moment) => Breach[]): Breach[] {
  const found = new Map<string, Breach>()
  for (const moment of moments ?? []) {
    for (const { expected, seen } of find(moment)) {
      if (!found.has(expected)) found.set(expected, { expected, seen: `${moment.when}, ${seen}` })
    }
  }
  return [...found.values()]
}

/**
 * Whether orders with a loan were not paid when the command ended, only because their customers did not come back, and all are paid after
 * `--settle`.
 */
function isRepaired({ books, moments = [], settled, returned }: Facts): boolean {
  const [before, after] = moments.slice(-2)
  if (settled?.code !== 0 || before === undefined || after === undefined) return false
  const isPaid = ({ orders }: Moment, id: string) => orders.some((order) => order.externalTrxId === id && order.paid)
  const ids = books.loans.map(({ externalTrxId }) => externalTrxId)
  const unpaid = ids.filter((id) => !isPaid(before, id))
  return unpaid.length > 0 && unpaid.every((id) => !returned.has(id)) && ids.every((id) => isPaid(after, id))
}

function settledInWords(settled: Facts['settled']): string {
  return settled === undefined ? '' : `, and --settle ended with exit code ${settled.code}`
}
