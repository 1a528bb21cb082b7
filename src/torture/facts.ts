import type { Books } from '../sandbox/store/payments.ts'
import type { Leak } from './leaks.ts'
import type { ShopOrder } from './shop-orders.ts'

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
}

export interface DeliveryFact {
  subject: string
  /** Whether the delivery is being sent. If so, perhaps the shop already knows of the loan. */
  isUnderWay: boolean
  /** The statuses of the shop's answers to genuine messages; 0 for no answer. Refused connections are left out. */
  answers: readonly number[]
}

/** The shop's orders and the service's loans at a moment of a run. */
export interface Moment {
  /** The moment in words, such as `after the command had ended`. */
  when: string
  orders: readonly ShopOrder[]
  loans: ReadonlySet<string>
  /** The transactions whose loan a true verification or a genuine delivery has shown to the shop. */
  proven: ReadonlySet<string>
}

export interface Facts {
  books: Books
  calls: readonly CallFact[]
  /** The transactions whose customer came back to the shop; only known in runs in which no event is delivered. */
  returned: ReadonlySet<string>
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
