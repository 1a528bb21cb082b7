import type { RowResult } from '../../bulk/row.ts'
import type { DoneRow } from '../../bulk/send-rows.ts'

const NAMED = 10

export interface Tally {
  rows: number
  /** The number of rows that this run finished. Rows that an earlier run completed do not count. */
  sent: number
  /** How many of the `known` rows this run has read so far. */
  earlier: number
  /** The number of rows that an earlier run completed. */
  known: number
  outcomes: Map<string, number>
  /** The number of failed rows that the service would refuse again. */
  refused: number
  differences: Map<string, number>
  unknownLines: number[]
  count(result: RowResult, sent: boolean): void
  name(rows: readonly DoneRow[]): void
  of(outcome: string): number
  done(): number
}

/**
 * Returns the counts of a run before its first row.
 * @param known the number of rows that an earlier run completed
 * @param isFinal returns whether a failed row would fail again if it is not changed
 */
export function createTally(rows: number, known: number, isFinal: (result: RowResult) => boolean): Tally {
  const outcomes = new Map<string, number>()
  const differences = new Map<string, number>()
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  return {
    rows,
    sent: 0,
    earlier: 0,
    known,
    outcomes,
    refused: 0,
    differences,
    unknownLines: [],
    count(result, sent) {
      if (sent) this.sent++
      else this.earlier++
      add(outcomes, result.outcome)
      if (result.outcome === 'failed' && isFinal(result)) this.refused++
      if (Array.isArray(result.differences)) for (const kind of result.differences) add(differences, String(kind))
    },
    name(done) {
      for (const { raw, result } of done) {
        if (result.outcome === 'unknown' && this.unknownLines.length < NAMED) this.unknownLines.push(raw.line)
      }
    },
    of: (outcome) => outcomes.get(outcome) ?? 0,
    done() {
      return this.sent + this.earlier
    },
  }
}
