import type { Likeness } from '../store/likeness.ts'
import type { RateLimit } from '../store/rate-limits.ts'
import type { Store } from '../store/store.ts'
import type { SandboxClock } from './clock.ts'
import type { Entrance } from './entrance.ts'
import type { Reports } from './reports.ts'

/** The dependencies of the sandbox's parts. */
export interface Service {
  store: Store
  clock: SandboxClock
  random: () => number
  /** Without a slash at the end. */
  baseUrl: string
  /** Destinations on loopback may be plain http. */
  allowHttp: boolean
  /** Whether every destination of an account has one signing secret, which a program has in its environment. */
  isPrivate: boolean
  /** Whether the payment page decides for the customer and leads back at once. */
  customer: boolean
  /** Signs widget tokens and report links. */
  signingSecret: string
  reports: Reports
  /** How often an account may send a call. */
  rateLimit: RateLimit
  /** Lets browsers into the window. */
  entrance: Entrance
  /** Called when a destination has answered a delivery, before that counts; true when the answer is lost on its way. Undefined: none is. */
  losesAnswer: ((deliveryId: string) => Promise<boolean>) | undefined
  /** The service that the sandbox answers like, as far as it was learnt; undefined for the sandbox's own conventions. */
  like: Likeness | undefined
  /** The folder of snapshots that have a name instead of a path. */
  snapshotDir: string | undefined
}
