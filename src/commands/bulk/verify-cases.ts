import type { RowResult } from '../../bulk/operation.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'
import type { Clock } from '../../domain/clock.ts'
import type { JUnitCase } from '../../terminal/junit.ts'

/** The most test cases of a JUnit report. A longer run writes only the cases that are not ok. */
const JUNIT_CASES = 10_000

/** The test cases of a run: one for each transaction, with the time that its call took. */
export interface VerifyCases {
  /** Makes a call and measures it, waiting and repetitions included. @param id of the row */
  timed(id: string, call: () => Promise<RowResult>): Promise<RowResult>
  take(rows: readonly DoneRow[]): void
  /** The cases. Beyond the limit, all transactions that are ok are one case. */
  cases(): JUnitCase[]
}

/** @param explain says why a row is not as expected */
export function createVerifyCases(
  clock: Pick<Clock, 'monotonic'>,
  explain: (result: RowResult) => string,
): VerifyCases {
  const cases: JUnitCase[] = []
  // Holds only rows that still wait to be written in the order of the file; `sendRows` limits their number. A row of an earlier run is
  // never in it.
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
