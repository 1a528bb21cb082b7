import type { ServiceDescription } from '../../contract/description.ts'
import type { RateLimit } from '../store/requests.ts'
import type { Store } from '../store/store.ts'
import type { WindowKeys } from './access.ts'
import type { SandboxClock } from './clock.ts'
import type { Reports } from './reports.ts'

export interface Service {
  store: Store
  clock: SandboxClock
  random: () => number
  /** The sandbox's address, without a slash at the end. */
  baseUrl: string
  /** Whether destinations on loopback may use plain http. */
  allowHttp: boolean
  /** Whether all destinations of an account get the same signing secret, which the merchant's program reads from its environment. */
  isPrivate: boolean
  /** Whether the payment page decides for the customer, and sends the customer back to the shop at once. */
  customer: boolean
  signingSecret: string
  reports: Reports
  rateLimit: RateLimit
  windowKeys: WindowKeys
  /** Called after an attempt to deliver, before its result is stored. If this function returns true, the answer is treated as lost. */
  losesAnswer: ((deliveryId: string) => Promise<boolean>) | undefined
  /** The service that the sandbox is. */
  description: ServiceDescription
  /** The folder of snapshots that are saved under a name instead of a path. */
  snapshotDir: string | undefined
}
