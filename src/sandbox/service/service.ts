import type { Likeness } from '../store/likeness.ts'
import type { RateLimit } from '../store/rate-limits.ts'
import type { Store } from '../store/store.ts'
import type { SandboxClock } from './clock.ts'
import type { Entrance } from './entrance.ts'
import type { Reports } from './reports.ts'

/** What the parts of the sandbox need. */
export interface Service {
  store: Store
  clock: SandboxClock
  random: () => number
  /** Without a slash at the end. */
  baseUrl: string
  /** Whether destinations on loopback may use plain http. */
  allowHttp: boolean
  /** Whether all destinations of an account have the same signing secret, which a program has in its environment. */
  isPrivate: boolean
  /** Whether the payment page decides for the customer and returns at once. */
  customer: boolean
  /** The secret with which widget tokens and report links are signed. */
  signingSecret: string
  reports: Reports
  /** How often an account may send a call. */
  rateLimit: RateLimit
  /** Lets browsers into the window. */
  entrance: Entrance
  /**
   * Called when a destination has answered a delivery, before the answer is processed. Returns true to lose the answer. Undefined if no
   * answer is ever lost.
   */
  losesAnswer: ((deliveryId: string) => Promise<boolean>) | undefined
  /** The service that the sandbox imitates, as far as it was learnt; undefined for the sandbox's own conventions. */
  like: Likeness | undefined
  /** The folder of snapshots that are saved under a name instead of a path. */
  snapshotDir: string | undefined
}
