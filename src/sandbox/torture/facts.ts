import type { Books } from '../store/books.ts'
import type { Leak } from './leaks.ts'
import type { ShopOrder } from './shop-orders.ts'

/** How a program of the shop ended. */
interface End {
  /** The exit code; 128 + n when a signal ended the program. */
  code: number
  /** Whether the program was killed because it did not end within its time limit. */
  hung: boolean
}

/** A call as it reached the service. */
export interface CallFact {
  name: string
  nth: number
  externalTrxId: string | undefined
  /** The status of the answer; 0 when the caller got no complete answer. */
  status: number
  /** Whether the content of the answer agrees with the data of the service. */
  isTrue: boolean
}

/** A delivery with its attempts. */
export interface DeliveryFact {
  subject: string
  /** Whether the delivery is being sent at the moment. The shop may then know of the loan although it has not answered yet. */
  isUnderWay: boolean
  /**
   * The statuses with which the shop answered genuine messages; 0 for no answer. A refused connection is left out, because then no shop was
   * listening.
   */
  answers: readonly number[]
}

/** A moment of a run: the shop's orders, and the loans that the shop could know. */
export interface Moment {
  /** The moment in words, such as `when the command had ended`. */
  when: string
  orders: readonly ShopOrder[]
  /** The transactions that have a loan. */
  loans: ReadonlySet<string>
  /** The transactions whose loan the shop could know, from a complete and true verification or from a genuine delivery. */
  proven: ReadonlySet<string>
}

/** Everything about one run that the invariants judge. */
export interface Facts {
  books: Books
  calls: readonly CallFact[]
  deliveries: readonly DeliveryFact[]
  /** The moments at which the orders were read, the last one at the end. Undefined without `--orders`. */
  moments: readonly Moment[] | undefined
  /** Why the list of orders could not be read; undefined if it was read. */
  unreadable: string | undefined
  /** Why the shop's server did not run: it did not start, did not start again, or ended by itself. Undefined if it ran. */
  notRunning: string | undefined
  ended: End
  /** How `--settle` ended; undefined without `--settle`. */
  settled: End | undefined
  leaks: readonly Leak[]
}
