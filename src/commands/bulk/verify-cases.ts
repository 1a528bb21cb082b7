import type { RowResult } from '../../bulk/operation.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Clock } from '../../domain/clock.ts'
import type { JUnitCase } from '../../terminal/junit.ts'

/** The maximum number of passed test cases in a JUnit report. Further passed transactions are combined into one test case. */
const JUNIT_CASES = 10_000

/** The test cases of a run: one for each transaction, with the time that its call took. */
export interface VerifyCases {
  /** Makes the call of the row with this id, and measures its duration, including waits and retries. */
  timed(id: string, call: () => Promise<RowResult>): Promise<RowResult>
  take(rows: readonly DoneRow[]): void
  /** Returns the cases. All passed transactions beyond the limit are combined into one case. */
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
  // The durations of the rows that are finished but not yet written, because the results have the order of the file. `sendRows` limits
  // the number of such rows.
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
