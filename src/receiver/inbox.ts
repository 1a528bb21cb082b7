import type { EventType, VerificationScheme } from '../contract/integrations.ts'
import type { Confirmation } from '../domain/event-agreement.ts'

/** A verified delivery, as it is stored. */
export interface Arrival {
  /** What it was received at: the listener's path. With `eventId` it is the key of an event. */
  destination: string
  scheme: VerificationScheme
  /** Null when it is odd. */
  eventId: string | null
  event: EventType | null
  /** Why a verified body is no envelope: it is kept in quarantine. */
  odd: string | null
  /** The bytes as they arrived. */
  body: Uint8Array
  contentType: string | null
  /** The `service-signature` header; a token is a secret and is never part of it. */
  signature: string | null
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Whether it is to be forwarded. */
  forward: boolean
}

/**
 * What became of an arrival. `new`: an event not seen before. `duplicate`: the same event with the same body, nothing stored.
 * `variant`: the same event with another body, kept and not emitted. `quarantined`: verified, and no envelope.
 */
export type ArrivalFate = 'new' | 'duplicate' | 'variant' | 'quarantined'

/** `seq` is the number of the row that keeps it (of the first one, for a duplicate). */
export interface Recorded {
  fate: ArrivalFate
  seq: number
}

/** Where forwarding an event has got to. `waiting` is not stored: it is an event that was not tried yet. */
export type ForwardState = 'waiting' | 'retrying' | 'delivered' | 'dead'

/** What the handler said, or why it said nothing. Durations in ms, times in ms since 1970. */
export interface ForwardResult {
  seq: number
  state: Exclude<ForwardState, 'waiting'>
  attempts: number
  status: number | null
  error: string | null
  ms: number
  at: number
}

/** An event that was stored. */
export interface StoredEvent extends Omit<Arrival, 'forward'> {
  seq: number
  /** Its place in the order of writing out; its number, unless it was taken over from a receiver that is gone. */
  place: number
  fate: Exclude<ArrivalFate, 'duplicate'>
  /** The event that a variant is another body of. */
  variantOf: number | null
  /** What asking the service came to; null when it was not asked. */
  confirmation: Confirmation | null
  /** The text of `data` as it was sent, where that is known without reading the body again. */
  dataText?: string | undefined
  /** Null when it is not to be forwarded. */
  forwarding: {
    state: ForwardState
    attempts: number
    status: number | null
    error: string | null
    ms: number | null
  } | null
}

/** What is written in one transaction. */
export interface Batch {
  arrivals: readonly Arrival[]
  forwards: readonly ForwardResult[]
  /** Everything up to this place was emitted; undefined when that has not changed. */
  emittedUpTo: number | undefined
}

/** What is still to be forwarded. */
interface Backlog {
  /** How many events. */
  waiting: number
  /** When the oldest of them was received (ms since 1970); null when there is none. */
  oldestAt: number | null
}

export interface EventQuery {
  /** Only events received at or after this time (ms since 1970). */
  since?: number
  /** Only events with this id, and the variants of them. */
  eventId?: string
  seq?: number
  /** `stored`: new, and not to be forwarded. */
  state?: ForwardState | 'stored' | 'quarantined' | 'variant'
  /** Only new events that nobody confirmed. */
  unconfirmed?: boolean
  limit: number
}

/** A destination that the listener registered and has to remove. */
export interface OwnDestination {
  id: string
  url: string
}

/**
 * `more`: something that others stored, or left behind, may be there to be read. `lost`: the inbox is out of reach; what others do is
 * unknown.
 */
export type News = 'more' | 'lost'

/**
 * What was received, for ever as far as recognising it goes. One process at a time receives into a file, any number into a database
 * (`claim`); any may read. Every method throws `output` when there is no room left, `config` when it cannot be used, and `network` while a
 * database is away.
 */
export interface Inbox {
  /** Whether others may receive into it at the same time. */
  readonly shared: boolean
  /** Begins to receive. Throws `config` naming the process that receives into it already, where only one can. */
  claim(owner: { pid: number; address: string }): Promise<void>
  /**
   * Tells of what happens besides this process. Neither callback may throw.
   * @param onFault gets what the inbox cannot go on after and nobody was waiting for
   */
  watch(listener: (news: News) => void, onFault: (error: unknown) => void): void
  /** Whether this process forwards for a destination; one of all does, until it gives that up or dies. */
  take(destination: string): Promise<boolean>
  /** Lets another process forward for it. */
  release(destination: string): Promise<void>
  /**
   * Whether a destination that was taken is still this process's: false as soon as another may have taken it.
   * @param destination undefined for what this process stored and has still to write out
   */
  holds(destination?: string): boolean
  /**
   * Stores a batch so that it survives a power failure. All of it or, when it throws, none.
   * @param begun called, where that can be told, when nothing is left but to wait for the disk
   * @returns a record for each arrival
   */
  commit(batch: Batch, begun?: () => void): Promise<Recorded[]>
  /** Proves that a record can be made: writes and syncs, and changes nothing that is seen. */
  probe(): Promise<void>
  /** New events after a place, oldest first. */
  emittable(place: number, limit: number): Promise<StoredEvent[]>
  emittedUpTo(): Promise<number>
  /** Destinations with events that are still to be forwarded. */
  waitingDestinations(): Promise<string[]>
  /** Events of a destination that are still to be forwarded, as far as results are stored, oldest first; in a file those after `seq`. */
  waiting(destination: string, seq: number, limit: number): Promise<StoredEvent[]>
  /** How much is still to be forwarded, and since when. */
  backlog(): Promise<Backlog>
  /** Newest first. */
  find(query: EventQuery): Promise<StoredEvent[]>
  /** Keeps what asking the service about an event came to. */
  confirm(seq: number, confirmation: Confirmation): Promise<void>
  /**
   * Deletes bodies received before a time, except what is still to be emitted or forwarded. What was seen stays known.
   * @returns how many
   */
  prune(before: number): Promise<number>
  ownDestination(): Promise<OwnDestination | undefined>
  setOwnDestination(destination: OwnDestination | undefined): Promise<void>
  close(): Promise<void>
}
