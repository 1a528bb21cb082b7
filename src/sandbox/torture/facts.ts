import type { Books } from '../store/books.ts'
import type { Leak } from './leaks.ts'
import type { ShopOrder } from './shop-orders.ts'

/** How a program of the shop ended. */
interface End {
  /** 128 + n when a signal ended it. */
  code: number
  /** Whether it was ended because its time was over. */
  hung: boolean
}

/** A call as it reached the service. */
export interface CallFact {
  name: string
  nth: number
  externalTrxId: string | undefined
  /** 0 when the caller got no complete answer. */
  status: number
  /** Whether the answer was what the service knows. */
  isTrue: boolean
}

/** A delivery with its attempts. */
export interface DeliveryFact {
  subject: string
  /** Whether it is being sent, so that the shop may know of it although it has not answered. */
  isUnderWay: boolean
  /** The statuses of the answers to what the service would send; 0 for none. A refused connection is left out: no shop was there. */
  answers: readonly number[]
}

/** What was known at one moment: the shop's orders, and what it could know of loans. */
export interface Moment {
  /** In words: `when the command had ended`. */
  when: string
  orders: readonly ShopOrder[]
  /** The transactions with a loan. */
  loans: ReadonlySet<string>
  /** The transactions of which the shop could know the loan: by a whole and true verification, or a genuine delivery. */
  proven: ReadonlySet<string>
}

/** Everything that one run left to be judged. */
export interface Facts {
  books: Books
  calls: readonly CallFact[]
  deliveries: readonly DeliveryFact[]
  /** Undefined without `--orders`. The last one is that of the end. */
  moments: readonly Moment[] | undefined
  /** Why the list of orders could not be read. */
  unreadable: string | undefined
  /** Why the shop's server did not start, or not start again. */
  notStarted: string | undefined
  ended: End
  /** Undefined without `--settle`. */
  settled: End | undefined
  leaks: readonly Leak[]
}
