import { type Clock, within } from '../../domain/clock.ts'
import type { Inbox } from '../inbox.ts'

/** Whether deliveries should be sent to this receiver now, and if not, why. */
export type ReadinessState = 'starting' | 'ready' | 'not-writable' | 'ending'

/** Knows whether a delivery could be stored, so that a load balancer can send deliveries elsewhere in time. */
export interface Readiness {
  /** Called when the receiver is open. Until then the state is `starting`. */
  opened(): void
  ending(): void
  /**
   * Called when a write succeeded. After a failure this proves nothing, because the write may be smaller than the delivery that did not
   * fit.
   */
  wrote(): void
  /** Called when a write failed. */
  failed(): void
  /** The state, as far as it is known without trying to write. */
  known(): ReadinessState
  /**
   * Returns the state. If the last proof is old, tries to write first. This detects a full disk, or a disk that has room again, even when
   * no delivery arrives.
   */
  check(): Promise<ReadinessState>
}

/** How long a write that succeeded or failed proves the state, in ms. */
export const FRESH_MS = 1000
/** How long a proof may take, in ms. A delivery that has to wait longer is probably lost. */
export const PROOF_MS = 2000

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
    // Only one proof runs at a time, even if it hangs, because probes must not add to the load of the disk.
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
