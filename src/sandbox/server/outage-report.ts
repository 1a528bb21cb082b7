import { isTrouble } from '../service/failures.ts'

export interface OutageListener {
  /**
   * Called with an error. The message of a database failure may be shown to users. During an outage, each kind of database failure is
   * reported only once.
   */
  onFault(error: unknown): void
  onRecovery(): void
}

interface OutageReport {
  /** @param error the error that `Store.failure` returned */
  failed(error: unknown): void
  recovered(): void
  isOut(): boolean
  failures(): number
}

/** Returns an object that reports failures to the listener, but each kind of database failure only once during an outage. */
export function createOutageReport({ onFault, onRecovery }: OutageListener): OutageReport {
  // The file may first be locked and then read-only, and each of these failures is reported.
  const reported = new Set<string>()
  let failures = 0
  return {
    failed(error) {
      const trouble = troubleOf(error)
      if (trouble === undefined || !reported.has(trouble)) onFault(error)
      if (trouble === undefined) return
      reported.add(trouble)
      failures++
    },
    recovered() {
      if (reported.size > 0) onRecovery()
      reported.clear()
    },
    isOut: () => reported.size > 0,
    failures: () => failures,
  }
}

function troubleOf(error: unknown): string | undefined {
  return isTrouble(error) ? error.code : undefined
}
