import { hash } from 'node:crypto'
import type { EventType, VerificationScheme } from '../contract/integrations.ts'
import type { Confirmation } from '../domain/envelope.ts'

export interface Arrival {
  /** The listener's path at which the delivery arrived. Together with `eventId` it is the key of an event. */
  destination: string
  scheme: VerificationScheme
  /** Null for an odd body, which is a verified body that is not an envelope. */
  eventId: string | null
  event: EventType | null
  /** Why the body is not an envelope and is quarantined. Null for an envelope. */
  odd: string | null
  body: Uint8Array
  contentType: string | null
  /** The `service-signature` header. Null for the scheme `token`, because a token is a secret and is never stored. */
  signature: string | null
  /** Milliseconds since 1970. */
  receivedAt: number
  forward: boolean
}

/**
 * How an arrival was recorded. `new`: an event not seen before. `duplicate`: a known event with the same body, which is not stored again.
 * `variant`: a known event with another body, which is stored but not emitted. `quarantined`: a verified body that is not an envelope.
 */
export type ArrivalFate = 'new' | 'duplicate' | 'variant' | 'quarantined'

/** `seq` is the number of the stored row. For a duplicate, it is the row number of the first arrival. */
export interface Recorded {
  fate: ArrivalFate
  seq: number
  /** The session that stored the event (see `StoredEvent`). */
  session?: number | undefined
}

/** The progress of forwarding an event. `waiting` means that no attempt was made yet. */
export type ForwardState = 'waiting' | 'retrying' | 'delivered' | 'dead'

/** Durations are in ms, times in ms since 1970. */
export interface ForwardResult {
  seq: number
  /** When the event was received. If an event with this number was received at another time, it is another event (see `StoredEvent`). */
  receivedAt: number
  state: Exclude<ForwardState, 'waiting'>
  attempts: number
  status: number | null
  error: string | null
  /** The first bytes of the answer's body; null if the body is empty or there is no answer. */
  answer?: string | null
  ms: number
  at: number
}

export interface StoredEvent extends Omit<Arrival, 'forward'> {
  seq: number
  /** The event's place in the order of printing: its `seq`, unless the event was taken over from a receiver that ended. */
  place: number
  /**
   * A database can go back to an earlier state when a standby takes over, and then it gives numbers and places again. So a place is only
   * compared with places of the same session, which is one connection of this process. Undefined in a file, which has no sessions.
   */
  session?: number | undefined
  fate: Exclude<ArrivalFate, 'duplicate'>
  /** For a variant: the `seq` of the event that was stored first with the same `eventId`. */
  variantOf: number | null
  /** Null if the service was not asked about the event. */
  confirmation: Confirmation | null
  dataText?: string | undefined
  /** Null for an event that is only stored and does not have to be forwarded. */
  forwarding: {
    state: ForwardState
    attempts: number
    status: number | null
    error: string | null
    answer: string | null
    ms: number | null
  } | null
}

export interface Batch {
  arrivals: readonly Arrival[]
  forwards: readonly ForwardResult[]
  /** All events up to this place were emitted (printed); undefined if the place has not changed. */
  emittedUpTo: number | undefined
  /** The session of `emittedUpTo` (see `StoredEvent`). Undefined for the present session, and in a file. */
  emittedIn?: number | undefined
}

interface Backlog {
  waiting: number
  /** When the oldest waiting event was received, in ms since 1970; null if no event waits. */
  oldestAt: number | null
}

export interface EventQuery {
  /** Finds events received at or after this time (ms since 1970). */
  since?: number
  /** Finds the event with this id, and its variants. */
  eventId?: string
  /** Finds new events whose id begins with `head` and ends with `tail`. */
  idPart?: { head: string; tail: string }
  seq?: number
  /** `stored`: new events that the receiver only stores, and does not have to forward. */
  state?: ForwardState | 'stored' | 'quarantined' | 'variant'
  unconfirmed?: boolean
  /** Finds events with a higher number than this, oldest first. */
  after?: number
  limit: number
}

/** The destination that the listener registered and has to remove. */
export interface OwnDestination {
  id: string
  url: string
  /** Whether the service sent a secret when the destination was registered. Undefined if this is not known. */
  sentSecret?: boolean
}

/** The name under which earlier versions stored the destination of any account. */
export const OWN_DESTINATION = 'own_destination'

/** Returns the name under which an inbox stores the destination of an account. */
export const ownDestinationOf = (account: string) => `${OWN_DESTINATION} ${account}`

/** What an inbox remembers of the listener that received into it last. Its events wait for the same handler. */
export interface LastListener {
  /** `sandbox`: the events of its account are invented. `service`: any other account. */
  kind: 'sandbox' | 'service'
  /** Undefined if the account's settings come from the environment. */
  profile?: string
  /** The address of the handler, without a query, which may contain a secret. Undefined if not known. */
  forwardTo?: string
}

/**
 * `more`: other receivers may have stored events, or ended before they printed or forwarded all events. `lost`: the inbox cannot be
 * reached, so it is unknown what other receivers do.
 */
export type News = 'more' | 'lost'

/**
 * The store of the received events. Any number of processes can read it. Only one process at a time can receive into a file (`claim`). Any
 * number of processes can receive into a database. Every method throws `output` when there is no room left, `config` when the inbox cannot
 * be used, and `network` while a database cannot be reached.
 */
export interface Inbox {
  /** Whether other processes may receive into this inbox at the same time. */
  readonly shared: boolean
  /**
   * Begins to receive.
   * @throws `config` if another process already receives and the inbox allows only one receiver. The error names its pid, if known
   */
  claim(owner: { pid: number; address: string }): Promise<void>
  /**
   * Calls `listener` when other processes changed something, and when the inbox cannot be reached. `listener` and `onError` must not
   * throw.
   * @param onError called with an error after which the inbox cannot continue. If a method call was in progress, it fails with the same
   * error
   */
  watch(listener: (news: News) => void, onError: (error: unknown) => void): void
  /**
   * Reserves a destination for this process, which then forwards its events. Returns false if another process has reserved it. A
   * reservation ends when the process releases the destination or ends.
   */
  take(destination: string): Promise<boolean>
  release(destination: string): Promise<void>
  /**
   * Whether this process certainly still has the reservation of `destination` that it made with `take`. Without `destination`: whether it
   * certainly still is the process that prints the events that it received and has not printed yet.
   */
  holds(destination?: string): boolean
  /**
   * Stores a batch so that it survives a power failure. Returns a record for each arrival. If it throws, do not acknowledge any arrival.
   * @param begun called when the batch is written and its sync has begun. An inbox in a database does not call this function
   */
  commit(batch: Batch, begun?: () => void): Promise<Recorded[]>
  /** Writes and syncs data that is not an event, to prove that an event can be stored. */
  probe(): Promise<void>
  /**
   * Returns the events with the fate `new` whose place is higher than `place`, in the order of their places.
   * @param session the session of `place` (see `StoredEvent`). In any other session all events of this receiver are still to be emitted
   */
  emittable(place: number, limit: number, session?: number): Promise<StoredEvent[]>
  emittedUpTo(): Promise<number>
  waitingDestinations(): Promise<string[]>
  /**
   * Returns a destination's events that wait to be forwarded, oldest first. An inbox in a file returns only those after `seq`. An inbox in a
   * database ignores `seq`.
   */
  waiting(destination: string, seq: number, limit: number): Promise<StoredEvent[]>
  backlog(): Promise<Backlog>
  /** Returns the events that match the query, newest first (with `after`: oldest first). */
  find(query: EventQuery): Promise<StoredEvent[]>
  confirm(seq: number, confirmation: Confirmation): Promise<void>
  /**
   * Deletes events that were received before a time (ms since 1970), except events that are still to be emitted or forwarded, or are set
   * aside. Returns how many events were deleted. Their ids stay known.
   */
  prune(before: number): Promise<number>
  /**
   * Returns the destination that a listener of this account registered and has not removed. A destination that an earlier version stored
   * has no account, so it is returned for every account.
   * @param account any text that is the same for every listener of the account
   */
  ownDestination(account: string): Promise<OwnDestination | undefined>
  /** Replaces what `ownDestination` returns for this account. The destinations of other accounts stay stored. */
  setOwnDestination(account: string, destination: OwnDestination | undefined): Promise<void>
  /** Returns undefined for an inbox that no listener of this version has used yet. */
  lastListener(): Promise<LastListener | undefined>
  setLastListener(listener: LastListener): Promise<void>
  close(): Promise<void>
}

/** Returns 22 characters (132 bits) of a SHA-256. Two texts practically never have the same hash. */
export function shortHash(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 22)
}

/** How many characters of the eventId the key keeps. They contain the time, if the eventId is a UUID of version 7. */
const TIME_CHARACTERS = 12
/** Characters that some databases change when they store a text. */
const ODD = /[^!-~]/g

/**
 * Returns the permanent key of an event. It starts like the eventId, so that events of the same time have neighbouring keys. A batch then
 * changes only one or two pages of the index.
 */
export const eventKey = (destination: number, eventId: string): string =>
  eventId.slice(0, TIME_CHARACTERS).replace(ODD, '_') + shortHash(`event ${destination} ${eventId}`)
