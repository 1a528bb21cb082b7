import type { ErrorJson } from '../errors.ts'
import type { RowPlan, Values } from './row.ts'

export interface Operation extends RowPlan {
  command: string
  /** The noun for the rows in the plural, such as “evaluations”. */
  things: string
  id: number
  /** Whether ids are accepted that look like what a spreadsheet wrote in place of an id. */
  acceptIds?: boolean
  /** Whether a call may be sent again when its outcome is unknown (the contract's `repeat`). */
  repeatable: boolean
  /** The settings on which the content of the calls depends, as a text for messages. With other settings, a run cannot be resumed. */
  settings: string
  /** Returns the call for a row, or the row's problems. */
  read(values: Values): RowCall | RowProblems
  /** Returns why a result is not as expected, although its call succeeded. */
  explain?(result: RowResult): string
  /** The result's columns in CSV, after `line` and the id. */
  resultColumns: readonly string[]
}

export interface RowCall {
  /**
   * Returns why the call of a valid row cannot be made now, or undefined if it can. Every row is checked for this before the first call.
   */
  obstacle?(): string | undefined
  send(): Promise<RowResult>
}

interface RowProblems {
  /** The texts contain no value of the row. If a problem names a column, the name and the value are added when the problem is shown. */
  problems: readonly (string | RowProblem)[]
}

export interface RowProblem {
  /** Position of the column. */
  column: number
  /** What is wrong with its value. */
  says: string
  /** Whether the value is personal. It is then not shown as it is. */
  isPersonal?: boolean
}

/** The result of a row. The ledger stores it, so it contains no personal data and no secret. */
export interface RowResult {
  /** `ok`, `failed`, `unknown`, or a word that the operation uses for an answer that is not as expected. */
  outcome: string
  error?: ErrorJson
  [field: string]: unknown
}
