import type { EndpointName } from '../../../contract/endpoints.ts'

/** The kinds of things that change. `token` is a payment on the payment page, `retries` the waits before a delivery is retried. */
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

/** One thing that came, changed or went. Personal data are masked, and secrets are not in it. */
export interface Change {
  kind: ChangeKind
  how: 'came' | 'changed' | 'went'
  id: string
  /** The transaction, masked customer, address or endpoint that it is about. */
  about: string
  /** The name of its account. */
  account: string | null
  /** The facts of what came or went, and each difference of what changed. Times are ISO 8601, amounts currency units. */
  fields: readonly ChangedField[]
}

export interface ChangedField {
  name: string
  before: string | number | null
  after: string | number | null
}

/**
 * What made changes: a request of the merchant's program, a customer who decided, an evaluation that became due, a control (of the window or
 * a command), another attempt of an older delivery, or a whole state that was deleted or loaded. `unknown` where no trace names the cause.
 */
export type CauseKind = 'request' | 'customer' | 'time' | 'control' | 'delivery' | 'state' | 'unknown'

interface Cause {
  id: string
  by: CauseKind
  /** The sandbox's time; null when nothing keeps it. */
  at: string | null
  account: string | null
  about: string | null
  /** Null unless it is a request. */
  request: { id: string; method: string; path: string; status: number; endpoint: EndpointName | null } | null
  changes: readonly Change[]
}

/** A cause whose changes are described only when they are shown: a list shows few of many. */
export type FoundCause = Omit<Cause, 'changes'> & { changes: (() => Change)[] }

/** A cause with the first of its changes. */
export interface ShownCause extends Cause {
  /** How many more changes it has. */
  more: number
}

/** What changed since a snapshot, beside a page of the causes. */
export interface SinceView {
  /** The snapshot, and the sandbox's time at which it was saved; null without a snapshot of this name. */
  since: { name: string; at: string } | null
  /** The names of all snapshots. */
  snapshots: readonly string[]
  /** How many requests and changes there were. */
  requests: number
  changes: number
  /** Why the snapshot cannot be compared. */
  problem: 'foreign' | 'unreadable' | null
}
