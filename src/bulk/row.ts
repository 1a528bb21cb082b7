import type { ErrorJson } from '../errors.ts'

export interface RawRow {
  /** The line on which the row begins. The first line is 1. */
  line: number
  /** The cells, if the row is a CSV row that contains quotes; otherwise the text of the line. */
  raw: readonly string[] | string
}

/** The values that an operation reads, in the order of its columns. An empty cell is undefined. */
export type Values = readonly (string | undefined)[]

/** A column that an operation reads. `columns.ts` has the names, and says which differences in spelling do not count. */
export interface InputColumn {
  name: string
  also?: readonly string[]
  /** Names that count only if the file has neither `name` nor a name in `also`. */
  orElse?: readonly string[]
  /** The names that the user chose for this column in place of all others. */
  only?: readonly string[] | undefined
  /** Names that the user excluded. They mean no column. */
  not?: readonly string[]
  required: boolean
  /** Returns whether the results contain the column although it is read. */
  copied?(word: string): boolean
  /** The word for what is compared with the answer, such as “state”. Undefined if the column is not compared. */
  compared?: string
  /** A second column that contains a part of the value. */
  part?: ColumnPart
}

interface ColumnPart {
  names: readonly string[]
  /**
   * Returns the whole value.
   * @param second the value of the second column, if it has one
   * @param beside if the file has no second column: the values directly beside the first one, which the operation does not read
   */
  join(first: string, second: string | undefined, beside: readonly (string | undefined)[] | undefined): Joined
}

export type Joined = { value: string } | { problem: string }

/** Which columns of a file are read, by their spelling in the file. */
export interface ColumnUse {
  /** For each column of the operation, its names in the file. */
  used: readonly (readonly string[])[]
  unused: readonly string[]
}

/** What is read from the rows of a file. */
export interface RowPlan {
  columns: readonly InputColumn[]
  /** Position of the id in `columns`. No two rows may have the same id. */
  id?: number
  /** Whether rows of totals are left out. */
  skipTotal?: boolean
}

export interface RowFile {
  form: 'csv' | 'ndjson'
  /**
   * Names of the columns that are copied to the results, in the order of their first appearance. In NDJSON each row names its own columns, so
   * the list is complete only after `values` was called for every row. Undefined if an NDJSON file has more names than CSV results can have.
   */
  readonly otherColumns: readonly string[] | undefined
  /** Names of the columns that are left out of the results, because they contain national ids. Complete once `otherColumns` is complete. */
  readonly leftOut: readonly string[]
  /** Which columns are read. In NDJSON, complete only after `values` was called for every row. */
  use(): ColumnUse
  /** Lines of the rows of totals that were left out so far. */
  readonly skipped: readonly number[]
  spelled(row: RawRow, column: number): string
  texts(row: RawRow): readonly string[]
  /** The rows in the order of the file, in batches, which may be empty. Throws `UnreadableRow` if reading cannot continue. */
  batches: AsyncGenerator<RawRow[]>
  /** Returns the values of a row, or a text that says why the row cannot be read. Throws `usage` if two columns contradict each other. */
  values(row: RawRow): Values | string
  /** The cells of the columns that are copied to the results. */
  others(row: RawRow): Readonly<Record<string, unknown>>
  failedHead(): string
  failedRow(row: RawRow, why: FailedReason): string
}

/** The extra columns of a file of failed rows. A run ignores them. */
export interface FailedReason {
  failedKind: string
  failedMessage: string
}

/** Thrown when a file cannot be read any further. `line` is where reading stopped. */
export class UnreadableRow extends Error {
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.name = 'UnreadableRow'
    this.line = line
  }
}

/** The maximum number of characters in a row. It limits how much is read into memory when a closing quote is missing. */
export const MAX_ROW_LENGTH = 10 * 1024 * 1024

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
  /**
   * Finds out, without sending the row again, whether the service carried it out in an earlier run. Returns the result, which is `unknown` if
   * the service may still carry it out; undefined if the service did not say. Left out if the service cannot be asked.
   */
  settle?(): Promise<RowResult | undefined>
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
