import type { Column, Values } from './row.ts'

/** What a command does with each row of a file. */
export interface Operation {
  /** The command's name, for the ledger and for messages. */
  command: string
  /** What the rows are, in the plural: “evaluations”. */
  things: string
  columns: readonly Column[]
  /** Position in `columns` of the id that must not come twice. */
  id: number
  /** Whether a call may be sent again when nobody knows what became of it (the contract's `repeat`). */
  repeatable: boolean
  /** Everything beside the rows that decides what is sent (such as the profile's entity id): a run cannot be resumed with another. */
  settings: string
  /** What is wrong with a row, if anything; nothing personal is repeated in the words. */
  check(values: Values): string[]
  /** Makes the call. @returns the result's fields, `outcome` among them; what it throws decides what becomes of the row */
  send(values: Values): Promise<RowResult>
  /** Why a result is not as expected, in words, where there is no error that says so. */
  explain?(result: RowResult): string
  /** The result's columns in CSV, after `line` and the id. */
  resultColumns: readonly string[]
}

/** What a row came to; these fields are kept in the ledger, so nothing personal or secret is among them. */
export interface RowResult {
  /** `ok`, `failed`, `unknown`, or a word of the operation's own for an answer that is not as expected. */
  outcome: string
  [field: string]: unknown
}
