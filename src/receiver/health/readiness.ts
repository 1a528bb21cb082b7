import { type Clock, within } from '../../domain/clock.ts'
import type { Inbox } from '../inbox.ts'

/** Why deliveries should not be sent here now, or that they should. */
export type ReadinessState = 'starting' | 'ready' | 'not-writable' | 'ending'

/** Whether a delivery could be stored. A balancer that is told so in time sends it elsewhere. */
export interface Readiness {
  /** It goes from starting over ready to ending, whatever the inbox does. */
  opened(): void
  ending(): void
  /** Something was written. After a failure that proves nothing: it may have been smaller than what did not fit. */
  wrote(): void
  /** Something could not be written. */
  failed(): void
  /** As far as is known. */
  known(): ReadinessState
  /** Proves it where the last proof is old, so that a full disk is found out, and its end, without a delivery. */
  check(): Promise<ReadinessState>
}

/** Milliseconds that a proof is good for. */
export const FRESH_MS = 1000
/** Milliseconds that a proof may take: a delivery that waits longer is as good as lost. */
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
    // One at a time, also one that hangs: those who ask must not add to what the disk has to do.
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
