/** What the window shows about changes. Only types without Node are here, because the scripts of the window use them too. */

import type { EndpointName } from '../../contract/endpoints.ts'
import type { CauseKind, ChangeKind } from '../store/tables.ts'

/** An object that was added, changed or removed. Personal data is masked, and secrets are left out. */
export interface Change {
  kind: ChangeKind
  how: 'came' | 'changed' | 'went'
  id: string
  /** The transaction, masked customer, address or endpoint that the object is about. */
  about: string
  /** The name of the object's account; null if the object belongs to no account. */
  account: string | null
  /** The fields of an added or removed object, or what differs in a changed object. Times are ISO 8601, amounts in currency units. */
  fields: readonly ChangedField[]
}

export interface ChangedField {
  name: string
  before: string | number | null
  after: string | number | null
}

/** A cause with its first changes. `more` is the number of the changes that are not listed. */
export interface ShownCause {
  id: string
  by: CauseKind
  /** The sandbox's time at which the cause happened. */
  at: string
  account: string | null
  about: string | null
  /** The request; null for any other cause, and for a request that is not logged, such as the download of a report. */
  request: { id: string; method: string; path: string; status: number; endpoint: EndpointName | null } | null
  changes: readonly Change[]
  more: number
}

export interface SinceView {
  /** The snapshot to compare with: its name, and the sandbox's time when it was saved; null if it is missing or cannot be compared. */
  since: { name: string; at: string } | null
  snapshots: readonly string[]
  requests: number
  changes: number
  problem: 'foreign' | 'unreadable' | null
}
