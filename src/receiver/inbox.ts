import type { EventType, VerificationScheme } from '../contract/integrations.ts'
import type { Confirmation } from '../domain/event-agreement.ts'

/** A verified delivery, as it is stored. */
export interface Arrival {
  /** The listener's path at which the delivery arrived. Together with `eventId` it is the key of an event. */
  destination: string
  scheme: VerificationScheme
  /** Null for an odd body, that is a body which is not an envelope. */
  eventId: string | null
  event: EventType | null
  /** Why a verified body is not an envelope, and is kept in quarantine. Null for an envelope. */
  odd: string | null
  /** The bytes of the body as they arrived. */
  body: Uint8Array
  contentType: string | null
  /** The `service-signature` header. The token of the other scheme is a secret and is never stored. */
  signature: string | null
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Whether the event is forwarded. */
  forward: boolean
}

/**
 * How an arrival was recorded. `new`: an event not seen before. `duplicate`: a known event with the same body, so nothing was stored.
 * `variant`: a known event with another body, which is kept but not emitted. `quarantined`: the body is verified, but is not an envelope.
 */
export type ArrivalFate = 'new' | 'duplicate' | 'variant' | 'quarantined'

/** `seq` is the number of the row that contains the arrival. For a duplicate, it is the row of the first arrival. */
export interface Recorded {
  fate: ArrivalFate
  seq: number
}

/** The progress of forwarding an event. `waiting` means that no attempt was made yet. */
export type ForwardState = 'waiting' | 'retrying' | 'delivered' | 'dead'

/** The answer of the handler, or the reason why it did not answer. Durations in ms, times in ms since 1970. */
export interface ForwardResult {
  seq: number
  state: Exclude<ForwardState, 'waiting'>
  attempts: number
  status: number | null
  error: string | null
  /** The first bytes of the answer's body. Left out or null if the body is empty or there is no answer. */
  answer?: string | null
  ms: number
  at: number
}

/** An event that was stored. */
export interface StoredEvent extends Omit<Arrival, 'forward'> {
  seq: number
  /** The event's place in the order of printing. This is its number, unless the event was taken over from a receiver that ended. */
  place: number
  fate: Exclude<ArrivalFate, 'duplicate'>
  /** For a variant: the number of the event that had the first body. */
  variantOf: number | null
  /** What the service answered about the event; null if the service was not asked. */
  confirmation: Confirmation | null
  /** The text of `data` as it was sent, if that is known without reading the body again. */
  dataText?: string | undefined
  /** Null when the event is not forwarded. */
  forwarding: {
    state: ForwardState
    attempts: number
    status: number | null
    error: string | null
    answer: string | null
    ms: number | null
  } | null
}

/** Everything that is written in one transaction. */
export interface Batch {
  arrivals: readonly Arrival[]
  forwards: readonly ForwardResult[]
  /** All events up to this place were emitted (printed); undefined if that has not changed. */
  emittedUpTo: number | undefined
}

/** The events that wait to be forwarded. */
interface Backlog {
  /** The number of these events. */
  waiting: number
  /** When the oldest of these events was received (ms since 1970); null if no event waits. */
  oldestAt: number | null
}

export interface EventQuery {
  /** Only events received at or after this time (ms since 1970). */
  since?: number
  /** Only events with this id, and their variants. */
  eventId?: string
  /** Only new events whose id begins with `head` and ends with `tail`. */
  idPart?: { head: string; tail: string }
  seq?: number
  /** `stored`: new events that are not forwarded. */
  state?: ForwardState | 'stored' | 'quarantined' | 'variant'
  /** Only new events that are not confirmed. */
  unconfirmed?: boolean
  limit: number
}

/** A destination that the listener registered and has to remove. */
export interface OwnDestination {
  id: string
  url: string
}

/**
 * `more`: other receivers may have stored events, or may have ended before they printed or forwarded all their events. `lost`: the inbox
 * cannot be reached, so what the other receivers do is unknown.
 */
export type News = 'more' | 'lost'

/**
 * The store of the received events. Their ids are kept even after the events are deleted. Only one process at a time can receive into a
 * file, but any number of processes can receive into a database (`claim`). Any number of processes can read. Every method throws `output`
 * when there is no room left, `config` when the inbox cannot be used, and `network` while a database cannot be reached.
 */
export interface Inbox {
  /** Whether other processes may receive into this inbox at the same time. */
  readonly shared: boolean
  /** Begins to receive. If only one process can do so and another one already does, throws `config` with the pid of that process. */
  claim(owner: { pid: number; address: string }): Promise<void>
  /**
   * Calls `listener` when other processes change something. Neither function may throw.
   * @param onFault called with an error after which the inbox cannot continue, if no caller was waiting for it
   */
  watch(listener: (news: News) => void, onFault: (error: unknown) => void): void
  /**
   * Reserves a destination for this process, which then forwards its events. Returns false if another process has reserved it. A
   * reservation ends when the process releases the destination or ends.
   */
  take(destination: string): Promise<boolean>
  /** Ends the reservation of a destination, so that another process can forward its events. */
  release(destination: string): Promise<void>
  /**
   * Whether a destination from `take` is still reserved for this process. False as soon as another process may have reserved it.
   * @param destination undefined for the events that this process stored and must still print
   */
  holds(destination?: string): boolean
  /**
   * Stores a batch so that it survives a power failure. If this throws, no part of the batch was stored.
   * @param begun called when everything is done except the wait for the disk, if that moment is known
   * @returns a record for each arrival
   */
  commit(batch: Batch, begun?: () => void): Promise<Recorded[]>
  /** Proves that an event can be stored, with a write and a sync that change no event. */
  probe(): Promise<void>
  /** New events after a place, oldest first. */
  emittable(place: number, limit: number): Promise<StoredEvent[]>
  emittedUpTo(): Promise<number>
  /** Destinations with events that wait to be forwarded. */
  waitingDestinations(): Promise<string[]>
  /**
   * Events of a destination that wait to be forwarded, according to the stored results, oldest first. An inbox in a file returns only
   * events after `seq`.
   */
  waiting(destination: string, seq: number, limit: number): Promise<StoredEvent[]>
  /** How many events wait to be forwarded, and since when. */
  backlog(): Promise<Backlog>
  /** Events that match the query, newest first. */
  find(query: EventQuery): Promise<StoredEvent[]>
  /** Stores what the service answered about an event. */
  confirm(seq: number, confirmation: Confirmation): Promise<void>
  /**
   * Deletes events that were received before a time, except events that are still to be emitted or forwarded, or are set aside. The ids of
   * the deleted events stay known.
   * @returns how many events were deleted
   */
  prune(before: number): Promise<number>
  ownDestination(): Promise<OwnDestination | undefined>
  setOwnDestination(destination: OwnDestination | undefined): Promise<void>
  close(): Promise<void>
}
