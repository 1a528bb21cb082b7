import type { EventType, VerificationScheme } from '../contract/integrations.ts'
import type { Confirmation } from '../domain/event-agreement.ts'

/** A verified delivery, as it is stored. */
export interface Arrival {
  /** The listener's path at which it arrived. With `eventId` it is the key of an event. */
  destination: string
  scheme: VerificationScheme
  /** Null for an odd body. */
  eventId: string | null
  event: EventType | null
  /** Why a verified body is not an envelope, and is kept in quarantine. Null for an envelope. */
  odd: string | null
  /** The bytes as they arrived. */
  body: Uint8Array
  contentType: string | null
  /** The `service-signature` header; a token is a secret and is never part of it. */
  signature: string | null
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Whether it is forwarded. */
  forward: boolean
}

/**
 * How an arrival was recorded. `new`: an event not seen before. `duplicate`: the same event with the same body, nothing stored.
 * `variant`: the same event with another body, kept and not emitted. `quarantined`: verified, and not an envelope.
 */
export type ArrivalFate = 'new' | 'duplicate' | 'variant' | 'quarantined'

/** `seq` is the number of the row that keeps it (of the first one, for a duplicate). */
export interface Recorded {
  fate: ArrivalFate
  seq: number
}

/** The progress of forwarding an event. `waiting` is not stored: it means that the event was not tried yet. */
export type ForwardState = 'waiting' | 'retrying' | 'delivered' | 'dead'

/** The answer of the handler, or the reason why it did not answer. Durations in ms, times in ms since 1970. */
export interface ForwardResult {
  seq: number
  state: Exclude<ForwardState, 'waiting'>
  attempts: number
  status: number | null
  error: string | null
  /** The beginning of the body of the answer; left out or null if it is empty or there is no answer. */
  answer?: string | null
  ms: number
  at: number
}

/** An event that was stored. */
export interface StoredEvent extends Omit<Arrival, 'forward'> {
  seq: number
  /** Its place in the order of writing out. It is its number, unless the event was taken over from a receiver that died. */
  place: number
  fate: Exclude<ArrivalFate, 'duplicate'>
  /** For a variant, the event of which it is another body. */
  variantOf: number | null
  /** The service's answer about it; null if the service was not asked. */
  confirmation: Confirmation | null
  /** The text of `data` as it was sent, if that is known without reading the body again. */
  dataText?: string | undefined
  /** Null when it is not forwarded. */
  forwarding: {
    state: ForwardState
    attempts: number
    status: number | null
    error: string | null
    answer: string | null
    ms: number | null
  } | null
}

/** All that is written in one transaction. */
export interface Batch {
  arrivals: readonly Arrival[]
  forwards: readonly ForwardResult[]
  /** All events up to this place were emitted; undefined if that has not changed. */
  emittedUpTo: number | undefined
}

/** The events that wait to be forwarded. */
interface Backlog {
  /** How many events. */
  waiting: number
  /** When the oldest of them was received (ms since 1970); null if no event waits. */
  oldestAt: number | null
}

export interface EventQuery {
  /** Only events received at or after this time (ms since 1970). */
  since?: number
  /** Only events with this id, and the variants of them. */
  eventId?: string
  /** Only new events whose id begins and ends so. */
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
 * `more`: there may be events to read that other receivers stored or left behind. `lost`: the inbox cannot be reached, so the state of the
 * others is unknown.
 */
export type News = 'more' | 'lost'

/**
 * The received events; their ids are never forgotten. One process at a time receives into a file, any number into a database (`claim`); any
 * number may read. Every method throws `output` when there is no room left, `config` when the inbox cannot be used, and `network` while a
 * database cannot be reached.
 */
export interface Inbox {
  /** Whether other processes may receive into it at the same time. */
  readonly shared: boolean
  /** Begins to receive. If only one process can, throws `config` that names the process which already receives into it. */
  claim(owner: { pid: number; address: string }): Promise<void>
  /**
   * Reports what other processes do. Neither callback may throw.
   * @param onFault gets an error after which the inbox cannot continue and for which no caller was waiting
   */
  watch(listener: (news: News) => void, onFault: (error: unknown) => void): void
  /** Whether this process forwards for a destination. Only one process does, until it releases the destination or dies. */
  take(destination: string): Promise<boolean>
  /** Lets another process forward for it. */
  release(destination: string): Promise<void>
  /**
   * Whether a destination that was taken still belongs to this process: false as soon as another may have taken it.
   * @param destination undefined for the events that this process stored and must still write out
   */
  holds(destination?: string): boolean
  /**
   * Stores a batch so that it survives a power failure: all of it or, when it throws, nothing. @param begun called when only the wait for
   * the disk is left, if that moment is known
   * @returns a record for each arrival
   */
  commit(batch: Batch, begun?: () => void): Promise<Recorded[]>
  /** Proves that a record can be made: writes and syncs, and changes nothing that a reader sees. */
  probe(): Promise<void>
  /** New events after a place, oldest first. */
  emittable(place: number, limit: number): Promise<StoredEvent[]>
  emittedUpTo(): Promise<number>
  /** Destinations with events that wait to be forwarded. */
  waitingDestinations(): Promise<string[]>
  /** Events of a destination that wait to be forwarded, by the stored results, oldest first; in a file only those after `seq`. */
  waiting(destination: string, seq: number, limit: number): Promise<StoredEvent[]>
  /** How many events wait to be forwarded, and since when. */
  backlog(): Promise<Backlog>
  /** Selected events, newest first. */
  find(query: EventQuery): Promise<StoredEvent[]>
  /** Stores the answer of the service about an event. */
  confirm(seq: number, confirmation: Confirmation): Promise<void>
  /**
   * Deletes bodies received before a time, except those that wait to be emitted or forwarded. The ids of the events stay known.
   * @returns how many were deleted
   */
  prune(before: number): Promise<number>
  ownDestination(): Promise<OwnDestination | undefined>
  setOwnDestination(destination: OwnDestination | undefined): Promise<void>
  close(): Promise<void>
}
