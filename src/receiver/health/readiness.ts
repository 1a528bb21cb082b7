import { type Clock, within } from '../../domain/clock.ts'
import type { Inbox } from '../inbox.ts'

export type ReadinessState = 'starting' | 'ready' | 'not-writable' | 'ending'

/** Knows whether a delivery could be stored, so that a load balancer can send deliveries elsewhere in time. */
export interface Readiness {
  opened(): void
  ending(): void
  /** Call this when a write succeeded. If the state is `not-writable`, starts a `probe`, because a larger write could still fail. */
  wrote(): void
  failed(): void
  known(): ReadinessState
  /** Returns the state. Runs a `probe` first if the last write is old, so that a full disk is found even when no delivery arrives. */
  check(): Promise<ReadinessState>
}

/** How long the outcome of a write or a `probe` is relied on, in ms. */
export const FRESH_MS = 1000
/** The time limit of a `probe`, in ms. If writes take longer, the service probably does not wait for the answers to its deliveries. */
export const PROOF_MS = 2000

/** Creates the state of a receiver that is starting. */
export function createReadiness(inbox: Pick<Inbox, 'probe'>, clock: Clock): Readiness {
  let stage: 'starting' | 'open' | 'ending' = 'starting'
  let writable = true
  let provedAt = Number.NEGATIVE_INFINITY
  let proving: Promise<void> | undefined

  const proved = (outcome: boolean): void => {
    writable = outcome
    provedAt = clock.monotonic()
  }
  const known = (): ReadinessState => (stage !== 'open' ? stage : writable ? 'ready' : 'not-writable')
  const prove = (): Promise<void> => {
    // Run only one `probe` at a time, because frequent health requests must not add to the load of the disk.
    proving ??= inbox
      .probe()
      .then(
        () => proved(true),
        () => proved(false),
      )
      .finally(() => {
        proving = undefined
      })
    return proving
  }
  return {
    opened() {
      stage = 'open'
    },
    ending() {
      stage = 'ending'
    },
    wrote() {
      if (writable) proved(true)
      else if (clock.monotonic() - provedAt >= FRESH_MS) void prove()
    },
    failed: () => proved(false),
    known,
    async check() {
      if (stage !== 'open' || clock.monotonic() - provedAt < FRESH_MS) return known()
      const inTime = await within(
        PROOF_MS,
        prove().then(() => true),
        clock,
      )
      if (!inTime) writable = false
      return known()
    },
  }
}
