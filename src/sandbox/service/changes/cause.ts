import type { EndpointName } from '../../../contract/endpoints.ts'

/**
 * The kinds of objects that can change. `token` is a payment on the payment page; `retries` are the waits before a delivery is sent again.
 */
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

/** One object that was added, changed or removed. Personal data is masked, and secrets are left out. */
export interface Change {
  kind: ChangeKind
  how: 'came' | 'changed' | 'went'
  id: string
  /** The transaction, masked customer, address or endpoint that the object is about. */
  about: string
  /** The name of the object's account. */
  account: string | null
  /** The fields of an added or removed object, or the differences of a changed object. Times are ISO 8601, amounts in currency units. */
  fields: readonly ChangedField[]
}

export interface ChangedField {
  name: string
  before: string | number | null
  after: string | number | null
}

/**
 * What caused changes: a request of the merchant's program, a customer who decided, an evaluation that became due, a control action (of the
 * window or a command), another attempt of an older delivery, or a reset or loaded snapshot (`state`). `unknown` if no stored data names
 * the cause.
 */
export type CauseKind = 'request' | 'customer' | 'time' | 'control' | 'delivery' | 'state' | 'unknown'

interface Cause {
  id: string
  by: CauseKind
  /** The sandbox's time at which the cause happened; null when this time was not stored. */
  at: string | null
  account: string | null
  about: string | null
  /** The request that is the cause; null for a cause of another kind. */
  request: { id: string; method: string; path: string; status: number; endpoint: EndpointName | null } | null
  changes: readonly Change[]
}

/** A cause whose changes are described only when they are shown, because most changes are never shown. */
export type FoundCause = Omit<Cause, 'changes'> & { changes: (() => Change)[] }

/** A cause with its first changes. If it has very many, the later changes are only counted. */
export interface ShownCause extends Cause {
  /** How many changes of the cause are not listed. */
  more: number
}

/** A summary of what changed since a snapshot. It does not contain the causes, which are read page by page. */
export interface SinceView {
  /** The snapshot, and the sandbox's time when it was saved; null if no snapshot has this name. */
  since: { name: string; at: string } | null
  /** The names of all snapshots. */
  snapshots: readonly string[]
  /** How many requests arrived since the snapshot. */
  requests: number
  /** How many changes were made since the snapshot. */
  changes: number
  /** Why the snapshot cannot be compared; null if it can be compared. */
  problem: 'foreign' | 'unreadable' | null
}
