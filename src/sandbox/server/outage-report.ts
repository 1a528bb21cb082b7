import { isOutage } from '../../postgres/failure.ts'
import { isTrouble } from '../service/failures.ts'

/** The functions to which a served sandbox reports its failures. */
export interface OutageListener {
  /**
   * Called with every failure, as an error with a message for users. But each trouble of the database is reported only once, however many
   * requests fail because of it.
   */
  onFault(error: unknown): void
  /** Called once when the database works again. */
  onRecovery(): void
}

/** Remembers the troubles of the database since it last worked. */
interface OutageReport {
  /** Reports a failure. @param error the result of the store's `failure` */
  failed(error: unknown): void
  /** Records that the database works again after a trouble. */
  recovered(): void
  isOut(): boolean
  /** How many failures were caused by troubles. If the number has not grown for a while, the trouble may be over. */
  failures(): number
}

/** Makes a report that mentions each trouble of the database only once. */
export function createOutageReport({ onFault, onRecovery }: OutageListener): OutageReport {
  // There can be more than one trouble: the database may first be unreachable, and then read-only.
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
  if (!isTrouble(error)) return undefined
  return isOutage(error) ? 'away' : error.code
}
