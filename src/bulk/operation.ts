import type { ErrorJson } from '../errors.ts'
import type { InputColumn, Values } from './row.ts'

/** What a command does with each row of a file. */
export interface Operation {
  /** The command's name, for the ledger and for messages. */
  command: string
  /** What the rows are, in the plural: “evaluations”. */
  things: string
  columns: readonly InputColumn[]
  /** Position in `columns` of the id, which must be different in every row. */
  id: number
  /** Whether a call may be sent again when its outcome is unknown (the contract's `repeat`). */
  repeatable: boolean
  /** Everything beside the rows that decides what is sent, such as the profile's entity id. A run is resumed only with the same. */
  settings: string
  /** Reads a row: the call that it asks for, or what is wrong with it. The words contain no value of the row. */
  read(values: Values): RowCall | RowProblems
  /** Says why a result is not as expected, where no error says so. */
  explain?(result: RowResult): string
  /** The result's columns in CSV, after `line` and the id. */
  resultColumns: readonly string[]
}

/** The call that a row asks for, its values parsed. */
export interface RowCall {
  /** Why the call cannot be made now, although its row is right. Asked for every row before the first call. */
  obstacle?(): string | undefined
  /** Makes the call. @returns the result's fields; an error decides what becomes of the row (`rowFateOf`) */
  send(): Promise<RowResult>
}

interface RowProblems {
  problems: readonly string[]
}

/** The result of a row. The ledger keeps its fields, so they contain nothing personal or secret. */
export interface RowResult {
  /** `ok`, `failed`, `unknown`, or a word of the operation for an answer that is not as expected. */
  outcome: string
  /** The error of a row that failed, or whose outcome is not known. */
  error?: ErrorJson
  [field: string]: unknown
}
