import type { ErrorJson } from '../errors.ts'
import type { InputColumn, Values } from './row.ts'

/** The operation that a command performs for each row of a file. */
export interface Operation {
  /** The command's name, for the ledger and for messages. */
  command: string
  /** The noun for the rows, in the plural: “evaluations”. */
  things: string
  columns: readonly InputColumn[]
  /** Position of the id in `columns`. No two rows may have the same id. */
  id: number
  /** Whether a call may be sent again when its outcome is unknown (the contract's `repeat`). */
  repeatable: boolean
  /**
   * The settings on which the content of the calls depends, such as the profile's entity id, as a text for messages. A run can be resumed
   * only with the same settings.
   */
  settings: string
  /** Returns the call for a row, or the problems of the row. The texts of the problems contain no value of the row. */
  read(values: Values): RowCall | RowProblems
  /** Returns a text that says why a result is not as expected, although its call succeeded. */
  explain?(result: RowResult): string
  /** The result's columns in CSV, after `line` and the id. */
  resultColumns: readonly string[]
}

/** The call of a row, with parsed values. */
export interface RowCall {
  /**
   * Returns why the call cannot be made now although the row is valid, or undefined if it can. Every row is checked for this before the
   * first call.
   */
  obstacle?(): string | undefined
  /** Makes the call. @returns the result's fields. An error decides the outcome of the row (`rowFateOf`) */
  send(): Promise<RowResult>
}

interface RowProblems {
  problems: readonly string[]
}

/** The result of a row. The ledger stores its fields, so they contain no personal data and no secret. */
export interface RowResult {
  /** `ok`, `failed`, `unknown`, or a word that the operation uses for an answer that is not as expected. */
  outcome: string
  /** The error of a row that failed or has an unknown outcome. */
  error?: ErrorJson
  [field: string]: unknown
}
