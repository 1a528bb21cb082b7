import { isOutage } from '../database/failure.ts'

export interface OutageReport {
  /** Told of what went wrong, as an error for the reader; of an outage of the database once, however many things fail by it. */
  onFault(error: unknown): void
  /** Told once when the database is there again. */
  onRecovery(): void
}

/** Keeps what serves a sandbox from saying a hundred times that its database is away. */
export function createOutageReport({ onFault, onRecovery }: OutageReport) {
  let isOut = false
  return {
    /** Something failed. @param error as the store's `failure` names it */
    failed(error: unknown): void {
      const isKnown = isOut && isOutage(error)
      if (!isKnown) onFault(error)
      isOut ||= isOutage(error)
    },
    /** Something went well that needs the database. */
    worked(): void {
      if (isOut) onRecovery()
      isOut = false
    },
  }
}
