import type { RowResult } from '../../bulk/operation.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Clock } from '../../domain/clock.ts'
import type { JUnitCase } from '../../terminal/junit.ts'

const JUNIT_CASES = 10_000

export interface VerifyCases {
  /** Makes the call of a row, and measures its duration, which includes waits and retries. */
  timed(id: string, call: () => Promise<RowResult>): Promise<RowResult>
  take(rows: readonly DoneRow[]): void
  /** Returns the cases. Of the transactions that passed, only the first 10,000 have their own case. */
  cases(): JUnitCase[]
}

/**
 * Returns an empty collection of test cases.
 * @param explain returns why a row is not as expected
 */
export function createVerifyCases(
  clock: Pick<Clock, 'monotonic'>,
  explain: (result: RowResult) => string,
): VerifyCases {
  const cases: JUnitCase[] = []
  const took = new Map<string, number>()
  let passed = 0
  let othersMs = 0
  return {
    async timed(id, call) {
      const began = clock.monotonic()
      try {
        return await call()
      } finally {
        took.set(id, clock.monotonic() - began)
      }
    },
    take(rows) {
      for (const { id, result } of rows) {
        const ms = took.get(id) ?? 0
        took.delete(id)
        if (result.outcome !== 'ok') cases.push({ name: id, ms, failure: explain(result) })
        else if (++passed <= JUNIT_CASES) cases.push({ name: id, ms })
        else othersMs += ms
      }
    },
    cases() {
      const more = passed - JUNIT_CASES
      return more <= 0 ? cases : [...cases, { name: `${more} more transactions`, ms: othersMs }]
    },
  }
}
