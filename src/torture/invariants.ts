import { ENDPOINT_NAMES, endpointOf } from '../contract/endpoints.ts'
import type { SimulatedFaultKind } from '../domain/sandbox-faults.ts'
import { isAccepted } from '../sandbox/store/deliveries.ts'
import { type CallFact, type Facts, isCancelled, isSold, type Moment } from './facts.ts'
import { isObscure, isSurvivable, isWithoutEvent } from './fault-table.ts'
import type { Run } from './plan.ts'

/** The run that is judged, and what the run without a fault showed. */
export interface Reference {
  /** Undefined for the run without a fault. */
  run: Run | undefined
  /** The number of loans in the run without a fault. */
  loans: number
  /** Whether the shop lists orders that are not paid. */
  listsOpenOrders: boolean
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
    find: ({ moments }, { run }) =>
      falsified(run) === undefined
        ? soldUnproven(moments, 'no verification and no genuine delivery has shown its loan')
        : [],
  },
  /** An order is paid only if the loan has its amount. */
  'amount-not-compared': {
    find: ({ moments }, { run }) =>
      falsified(run) === 'other-amount' ? soldUnproven(moments, 'every verification showed another amount') : [],
  },
  /** An order is paid only if the loan names its transaction. */
  'transaction-not-compared': {
    find: ({ moments }, { run }) =>
      falsified(run) === 'other-transaction'
        ? soldUnproven(moments, 'every verification showed the loan of another transaction')
        : [],
  },
  /** An order is paid only if the loan is ACTIVE. */
  'state-not-compared': {
    find: ({ moments }, { run }) =>
      falsified(run) === 'other-state'
        ? soldUnproven(moments, 'every verification showed a state that is not ACTIVE')
        : [],
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
  /**
   * With --settle, every loan that is not cancelled has a paid order. Without --settle, only the loans that the shop could know (`proven`).
   * An order that the shop lists as refunded is a finding of `refunded-without-cancel`.
   */
  'loan-without-order': {
    find: ({ moments, books, settled }) => {
      const last = moments?.at(-1)
      if (last === undefined) return []
      const isAnswered = (id: string) =>
        last.orders.some(({ externalTrxId, paid, refunded }) => externalTrxId === id && (paid || refunded === true))
      return books.loans
        .filter((loan) => !isCancelled(loan))
        .filter(({ externalTrxId }) => settled !== undefined || last.proven.has(externalTrxId))
        .filter(({ externalTrxId }) => !isAnswered(externalTrxId))
        .map(({ externalTrxId }) => ({
          expected: `${externalTrxId} is paid, because the service has its loan`,
          seen: `the shop ${last.orders.some((order) => order.externalTrxId === externalTrxId) ? 'lists it as not paid' : 'does not list it'}${settledInWords(settled)}`,
        }))
    },
  },
  /**
   * With --settle, no order of a cancelled loan is paid. Without --settle, none of those whose cancellation was answered, or shown by a later
   * verification.
   */
  'cancelled-still-paid': {
    find: ({ moments, books, calls, settled }) => {
      const last = moments?.at(-1)
      if (last === undefined) return []
      return books.loans
        .filter(isCancelled)
        .filter(({ externalTrxId }) => settled !== undefined || knowsOfCancel(calls, externalTrxId))
        .filter(({ externalTrxId }) => last.orders.some((order) => order.externalTrxId === externalTrxId && order.paid))
        .map(({ externalTrxId }) => ({
          expected: `${externalTrxId} is not paid any more, because its loan is cancelled`,
          seen: `the shop lists it as paid${settledInWords(settled)}`,
        }))
    },
  },
  /** Nothing is fulfilled after the loan of its order was cancelled. */
  'fulfilled-after-cancel': {
    find: ({ moments = [] }) =>
      atMoments(moments, (moment) => {
        const before = moments[moments.indexOf(moment) - 1]
        return moment.orders.flatMap(({ externalTrxId: id, fulfilled }) => {
          const already = before?.orders.find(({ externalTrxId }) => externalTrxId === id)?.fulfilled ?? 0
          return before?.cancelled.has(id) && fulfilled > already
            ? [
                {
                  expected: `${id} is not fulfilled any more, because its loan was cancelled before`,
                  seen: `the number of its shipments was ${already} when the loan was cancelled, and ${fulfilled} in the end`,
                },
              ]
            : []
        })
      }),
  },
  /** An order is refunded only when its loan is cancelled, if the verifications show the true state of the loan. */
  'refunded-without-cancel': {
    find: ({ moments }, { run }) =>
      falsified(run) === 'other-state'
        ? []
        : atMoments(moments, ({ orders, loans, cancelled }) =>
            orders
              .filter(({ externalTrxId: id, refunded }) => refunded === true && loans.has(id) && !cancelled.has(id))
              .map(({ externalTrxId }) => ({
                expected: `${externalTrxId} is not refunded, because its loan is not cancelled`,
                seen: 'the shop listed it as refunded',
              })),
          ),
  },
  /** A cancellation of unknown outcome is sent again only after a verification has shown the loan. */
  'second-cancellation': {
    find: ({ calls }, { run }) =>
      calls.flatMap((first, at) => {
        const { externalTrxId } = first
        if (first.name !== 'cancelLoan' || externalTrxId === undefined || !isUnknown(first, run)) return []
        const next = calls.slice(at + 1).find((call) => call.externalTrxId === externalTrxId && isCancelOrProof(call))
        return next?.name === 'cancelLoan'
          ? [
              {
                expected: `the loan of ${externalTrxId} is verified before its cancellation is sent again, because the first call may have been carried out`,
                seen: 'the cancellation was sent again without a verification',
              },
            ]
          : []
      }),
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
  /** A call that begins an evaluation, a payment or a loan is not sent again if its outcome is unknown. */
  'second-evaluation': {
    find: ({ calls }, { run }) => {
      const names: readonly string[] = NEVER_REPEATED
      const unknown = calls.filter((call) => names.includes(call.name) && isUnknown(call, run))
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
  /**
   * A customer whose evaluation has an unknown outcome is evaluated again only for another order, and the shop keeps the first one. If the
   * shop lists unpaid orders but not the first one, it has replaced the transaction of an order by itself.
   */
  'evaluated-again': {
    find: ({ calls, moments = [] }, { run, listsOpenOrders }) => {
      if (!listsOpenOrders) return []
      const isListed = (id: string | undefined) =>
        moments.some(({ orders }) => orders.some(({ externalTrxId }) => externalTrxId === id))
      return evaluatedAgain(calls, run)
        .filter(({ first, later }) => !isListed(first) && later.some(isListed))
        .map(({ first, later }) => ({
          expected: `the shop lists an order for ${first}, because its evaluation may have been carried out before the customer was evaluated again for the same amount`,
          seen: `the shop lists only ${later.filter(isListed).join(', ')}`,
        }))
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
        .filter(({ answers }) => answers.some(isRefusal) && !answers.some(isAccepted))
        .map(({ subject, answers }) => ({
          expected: `the delivery about ${subject} is answered with 2xx, at the latest when it is sent again`,
          seen: `the shop answered ${answers.find(isRefusal)}`,
        })),
  },
  /** A copy of a delivery that the shop has already received is accepted. 503 is not a refusal, because it means “send it again later”. */
  'refused-duplicate': {
    find: ({ deliveries }) =>
      deliveries
        .filter(({ duplicates }) => duplicates.some((status) => status >= 500 && status !== 503))
        .map(({ subject, duplicates }) => ({
          expected: `a copy of the delivery about ${subject} is answered with 2xx`,
          seen: `the shop answered ${duplicates.find((status) => status >= 500)}`,
        })),
  },
  /** An event whose signature is wrong is not accepted. */
  'accepted-forgery': {
    find: ({ acceptsForged }) =>
      acceptsForged
        ? [{ expected: 'an event with a wrong signature is answered with 401', seen: 'the shop answered 2xx' }]
        : [],
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
  'amount-not-compared',
  'transaction-not-compared',
  'state-not-compared',
  'fulfilled-twice',
  'loan-without-order',
  'cancelled-still-paid',
  'fulfilled-after-cancel',
  'refunded-without-cancel',
  'paid-not-fulfilled',
  'other-amount',
  'evaluated-again',
]

/** Calls that a shop must not repeat when their outcome is unknown. A cancellation may be repeated after a verification. */
const NEVER_REPEATED = ENDPOINT_NAMES.filter((name) => endpointOf(name).repeat === 'never' && name !== 'cancelLoan')

/** Whether a call shows the loan as it is, or is a cancellation. */
const isCancelOrProof = ({ name, status, isTrue }: CallFact): boolean =>
  name === 'cancelLoan' || (name === 'verifyLoan' && status === 200 && isTrue)

/** Whether the shop could know that a loan is cancelled, from the answer to the cancellation or from a verification after it. */
function knowsOfCancel(calls: readonly CallFact[], externalTrxId: string): boolean {
  const its = calls.filter((call) => call.externalTrxId === externalTrxId)
  const at = its.findIndex(({ name }) => name === 'cancelLoan')
  return (
    at !== -1 &&
    its.slice(at).some((call) => isCancelOrProof(call) && call.isTrue && call.status >= 200 && call.status < 300)
  )
}

/** The false answer that verifications get in a run; undefined if they get true answers. */
const falsified = (run: Run | undefined) => FALSE_ANSWERS.find((kind) => kind === run?.torture.kind)

const FALSE_ANSWERS: readonly SimulatedFaultKind[] = ['other-amount', 'other-transaction', 'other-state']

/** Whether a call got no answer from which the shop can learn whether it was carried out. */
const isUnknown = ({ name, nth, status }: Pick<CallFact, 'name' | 'nth' | 'status'>, run: Run | undefined): boolean =>
  status === 0 || (run !== undefined && isObscure(run.torture) && isAt(run, name, nth))

/**
 * Returns the transactions whose evaluation has an unknown outcome, with the later transactions of the same customer and amount. The
 * customer may have begun again, so this is a reason to look. It is a broken invariant only if the shop does not list the first order.
 */
export function evaluatedAgain(calls: Facts['calls'], run: Run | undefined): { first: string; later: string[] }[] {
  return calls.flatMap(({ nth, buyer, externalTrxId: first, ...call }) => {
    if (buyer === undefined || first === undefined || !isUnknown({ nth, ...call }, run)) return []
    const later = calls.flatMap((each) =>
      each.nth > nth && each.buyer === buyer && each.externalTrxId !== first ? (each.externalTrxId ?? []) : [],
    )
    return later.length === 0 ? [] : [{ first, later: [...new Set(later)] }]
  })
}

/** The orders that were paid or fulfilled although nothing had shown their loan to the shop. */
const soldUnproven = (moments: Facts['moments'], because: string): Breach[] =>
  atMoments(moments, ({ orders, loans, proven }) =>
    orders
      .filter((order) => isSold(order) && loans.has(order.externalTrxId) && !proven.has(order.externalTrxId))
      .map(({ externalTrxId, fulfilled }) => ({
        expected: `${externalTrxId} is not paid yet, because ${because}`,
        seen: `the shop listed it as ${fulfilled > 0 ? 'fulfilled' : 'paid'}`,
      })),
  )

const isAt = ({ place }: Run, name: string, nth: number) => place.name === name && place.nth === nth

/** Whether a status refuses a delivery. 5xx, 408, 409, 423, 425 and 429 are not refusals, because they mean “send it again later”. */
const isRefusal = (status: number) => status >= 300 && status < 500 && ![408, 409, 423, 425, 429].includes(status)

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
  const ids = books.loans.filter((loan) => !isCancelled(loan)).map(({ externalTrxId }) => externalTrxId)
  const unpaid = ids.filter((id) => !isPaid(before, id))
  return unpaid.length > 0 && unpaid.every((id) => !returned.has(id)) && ids.every((id) => isPaid(after, id))
}

function settledInWords(settled: Facts['settled']): string {
  return settled === undefined ? '' : `, and --settle ended with exit code ${settled.code}`
}
