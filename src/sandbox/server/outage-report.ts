import { isOutage } from '../../postgres/failure.ts'
import { isTrouble } from '../service/failures.ts'

/** The callbacks to which a served sandbox reports its failures. */
export interface OutageListener {
  /** Called with every failure, as an error for the reader; but only once for each trouble of the database, however much fails because of it. */
  onFault(error: unknown): void
  /** Called once when the database works again. */
  onRecovery(): void
}

/** The troubles of the database since it last worked. */
interface OutageReport {
  /** Reports a failure. @param error as the store's `failure` returns it */
  failed(error: unknown): void
  /** Notes that the database works again after a trouble. */
  recovered(): void
  isOut(): boolean
  /** Counts failures by troubles: if none was added for a while, the trouble may be over. */
  failures(): number
}

/** Makes a report that names each trouble of the database once. */
export function createOutageReport({ onFault, onRecovery }: OutageListener): OutageReport {
  // More than one is possible: the database may be unreachable first, and read-only after that.
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
