import type { Store } from '../store/store.ts'
import type { SandboxClock } from './clock.ts'
import type { Entrance } from './entrance.ts'
import type { Reports } from './report-link.ts'

/** What the sandbox's parts work with. */
export interface Service {
  store: Store
  clock: SandboxClock
  random: () => number
  /** Without a slash at the end. */
  baseUrl: string
  /** Destinations on loopback may be plain http. */
  allowHttp: boolean
  /** Signs widget tokens and report links. */
  signingSecret: string
  reports: Reports
  /** Lets this machine's user into the window. */
  entrance: Entrance
  /** Where snapshots go that have a name and no path; undefined where nobody says. */
  snapshotDir: string | undefined
}
