import type { SimulatedFaultKind } from '../domain/sandbox-faults.ts'
import type { ControlResult } from '../sandbox/service/control.ts'
import { isAccepted } from '../sandbox/store/deliveries.ts'
import type { Books } from '../sandbox/store/payments.ts'
import { isRecord } from '../text/json-text.ts'
import type { Leak } from './leaks.ts'

interface End {
  /** The exit code; 128 + n when a signal ended the program. */
  code: number
  hung: boolean
}

export interface CallFact {
  name: string
  nth: number
  externalTrxId: string | undefined
  /** The status of the answer; 0 when the caller got no complete answer. */
  status: number
  /** Whether the content of the answer agrees with the data of the service. */
  isTrue: boolean
  /** For an evaluation: the customer and the amount as one text, to compare evaluations. */
  buyer?: string | undefined
}

interface DeliveryFact {
  subject: string
  /** Whether the delivery is being sent. If so, perhaps the shop already knows of the loan. */
  isUnderWay: boolean
  /** The statuses of the shop's answers to genuine messages; 0 for no answer. Refused connections are left out. */
  answers: readonly number[]
  /** The statuses of the shop's answers to copies of a message that it had already received. */
  duplicates: readonly number[]
}

/** The shop's orders and the service's loans at a moment of a run. */
export interface Moment {
  /** The moment in words, such as `after the command had ended`. */
  when: string
  orders: readonly ShopOrder[]
  loans: ReadonlySet<string>
  /** The transactions whose loan is cancelled. */
  cancelled: ReadonlySet<string>
  /** The transactions whose loan a true verification or a genuine delivery has shown to the shop. */
  proven: ReadonlySet<string>
}

export interface Facts {
  books: Books
  calls: readonly CallFact[]
  /** The transactions whose customer came back to the shop; only known in the run without a fault, and in runs in which no event is delivered. */
  returned: ReadonlySet<string>
  /** Whether the shop answered 2xx to an event with a wrong signature. */
  acceptsForged: boolean
  deliveries: readonly DeliveryFact[]
  /** The last moment is the end of the run. Undefined without `--orders`. */
  moments: readonly Moment[] | undefined
  /** Why the list of orders could not be read; undefined if it was read. */
  unreadable: string | undefined
  /** Why the shop's server failed (it did not start, or it ended by itself); undefined if it has not failed. */
  notRunning: string | undefined
  ended: End
  /** Undefined without `--settle`. */
  settled: End | undefined
  leaks: readonly Leak[]
}

export interface ShopOrder {
  externalTrxId: string
  paid: boolean
  /** The number of times that the order was shipped or credited. */
  fulfilled: number
  /** Whether the shop treats the order as refunded. Undefined if the shop does not say it. */
  refunded?: boolean
  /** In whole currency units. If the shop reports the amount, it is compared with the loan. */
  amount?: number
  /** If the shop reports the number, it is compared with the loan. */
  installments?: number
}

/** Whether a loan of the service is cancelled. */
export const isCancelled = ({ cancelledAt }: Pick<Books['loans'][number], 'cancelledAt'>): boolean =>
  cancelledAt !== null

/** Whether the shop treats an order as paid. */
export const isSold = ({ paid, fulfilled }: ShopOrder): boolean => paid || fulfilled > 0

/** Reads the NDJSON output of the command of `--orders`. Returns the orders, or the first problem in words. */
export function readOrders(text: string): { ok: true; orders: ShopOrder[] } | { ok: false; problem: string } {
  const orders: ShopOrder[] = []
  const seen = new Set<string>()
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const order = readOrder(line)
    if (typeof order === 'string') return { ok: false, problem: `line ${at + 1} ${order}` }
    if (seen.has(order.externalTrxId)) return { ok: false, problem: `line ${at + 1} lists an order a second time` }
    seen.add(order.externalTrxId)
    orders.push(order)
  }
  return { ok: true, orders }
}

function readOrder(line: string): ShopOrder | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  if (!isRecord(value)) return 'is not an object'
  const { externalTrxId, paid, fulfilled, refunded, amount, installments } = value
  if (typeof externalTrxId !== 'string' || externalTrxId === '')
    return 'needs a field “externalTrxId” that is a non-empty string'
  if (typeof paid !== 'boolean') return 'needs a field “paid” that is true or false'
  if (!isCount(fulfilled)) return 'needs a field “fulfilled” that is 0 or a positive whole number'
  return {
    externalTrxId,
    paid,
    fulfilled,
    ...(typeof refunded === 'boolean' ? { refunded } : {}),
    ...(isCount(amount) ? { amount } : {}),
    ...(isCount(installments) ? { installments } : {}),
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

type Listed = ControlResult<'deliveries'>

/** The faults (`chaos`) that do not change a message: null for no fault, and `twice` for an identical copy. */
const GENUINE: readonly (string | null)[] = [null, 'twice']

/** Errors that mean that no shop was listening. */
const NOBODY: readonly (string | null)[] = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']

/** Returns the deliveries with the shop's answers to genuine messages. */
export function deliveryFacts(listed: Listed): DeliveryFact[] {
  return listed.map(({ subject, state, attempts }) => ({
    subject,
    isUnderWay: state === 'sending',
    answers: attempts
      .filter(({ chaos, error }) => GENUINE.includes(chaos) && !NOBODY.includes(error))
      .map(({ status }) => status ?? 0),
    duplicates: attempts.flatMap(({ chaos, status }) => (chaos === 'twice' && status !== null ? [status] : [])),
  }))
}

/** Whether a fault of deliveries happened, and a shop was there to receive what the fault sends. */
export const faultReached = (listed: Listed, kind: SimulatedFaultKind): boolean =>
  listed.some(({ fault, state, attempts }) => {
    if (fault !== kind) return false
    if (kind === 'never') return state === 'lost'
    const sent = attempts.filter(({ chaos }) => chaos === (SENDS_MORE.includes(kind) ? kind : null))
    return sent.some(({ status }) => status !== null)
  })

/** The faults that send another message beside the genuine one. */
const SENDS_MORE: readonly SimulatedFaultKind[] = ['twice', 'wrong-signature', 'other-body', 'redirected', 'of-another']

/** Whether the shop answered 2xx to a delivery of the sandbox whose signature was wrong. */
export const acceptsForgeries = (listed: Listed): boolean =>
  listed.some(({ attempts }) => attempts.some(({ chaos, status }) => chaos === 'wrong-signature' && isAccepted(status)))

/** Returns the transactions whose loan the shop could know, from a complete and true verification or from a genuine delivery. */
export function provenLoans(calls: readonly CallFact[], deliveries: readonly DeliveryFact[]): Set<string> {
  return new Set([
    ...calls
      .filter(({ name, status, isTrue }) => name === 'verifyLoan' && status === 200 && isTrue)
      .flatMap(({ externalTrxId }) => externalTrxId ?? []),
    ...deliveries.filter(({ answers, isUnderWay }) => isUnderWay || answers.length > 0).map(({ subject }) => subject),
  ])
}
