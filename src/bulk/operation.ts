import type { ErrorJson } from '../errors.ts'
import type { InputColumn, Values } from './row.ts'

export interface Operation {
  command: string
  /** The noun for the rows in the plural, such as “evaluations”. */
  things: string
  columns: readonly InputColumn[]
  /** Position of the id in `columns`. No two rows may have the same id. */
  id: number
  /** Whether a call may be sent again when its outcome is unknown (the contract's `repeat`). */
  repeatable: boolean
  /** The settings on which the content of the calls depends, as a text for messages. With other settings, a run cannot be resumed. */
  settings: string
  /** Returns the call for a row, or the row's problems. The texts of the problems contain no value of the row. */
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
  problems: readonly string[]
}

/** The result of a row. The ledger stores it, so it contains no personal data and no secret. */
export interface RowResult {
  /** `ok`, `failed`, `unknown`, or a word that the operation uses for an answer that is not as expected. */
  outcome: string
  error?: ErrorJson
  [field: string]: unknown
}
