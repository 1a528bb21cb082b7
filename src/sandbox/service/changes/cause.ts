import type { EndpointName } from '../../../contract/endpoints.ts'

/** What can change. `token` is a payment on the payment page, and `retries` are the waits before a delivery is sent again. */
export type ChangeKind =
  | 'evaluation'
  | 'selection'
  | 'token'
  | 'loan'
  | 'destination'
  | 'lead'
  | 'event'
  | 'delivery'
  | 'fault'
  | 'account'
  | 'clock'
  | 'retries'

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

/**
 * What caused a change. `time` is an evaluation that became due, `delivery` is another attempt at an older delivery, and `state` is a reset
 * or a loaded snapshot. The cause is `unknown` if no stored data names it.
 */
export type CauseKind = 'request' | 'customer' | 'time' | 'control' | 'delivery' | 'state' | 'unknown'

interface Cause {
  id: string
  by: CauseKind
  /** The sandbox's time at which the cause happened; null if this time was not stored. */
  at: string | null
  account: string | null
  about: string | null
  request: { id: string; method: string; path: string; status: number; endpoint: EndpointName | null } | null
  changes: readonly Change[]
}

/** A cause whose changes are described only when they are shown, because most changes are never shown. */
export type FoundCause = Omit<Cause, 'changes'> & { changes: (() => Change)[] }

/** A cause with its first changes. `more` is the number of the changes that are not listed. */
export interface ShownCause extends Cause {
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
