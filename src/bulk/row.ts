export interface RawRow {
  /** The line on which the row begins. The first line is 1. */
  line: number
  /** The cells, if the row is a CSV row that contains quotes; otherwise the text of the line. */
  raw: readonly string[] | string
}

/** The values that an operation reads, in the order of its columns. An empty cell is undefined. */
export type Values = readonly (string | undefined)[]

/** A column that an operation reads. Upper or lower case, spaces, `_` and `-` make no difference in its names. */
export interface InputColumn {
  name: string
  also?: readonly string[]
  /** Names that count only if the file has neither `name` nor a name in `also`. */
  orElse?: readonly string[]
  /** Names that can mean this column or something else. A column with such a name is not read, and the run warns about it. */
  alike?: readonly string[]
  required: boolean
}

/** A column that is not read, although its name is similar to that of a column which is read. */
export interface DoubtfulColumn {
  name: string
  meant: string
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
  doubtful: readonly DoubtfulColumn[]
  /** The rows in the order of the file, in batches, which may be empty. Throws `UnreadableRow` if reading cannot continue. */
  batches: AsyncGenerator<RawRow[]>
  /** Returns the values of a row, or a text that says why the row cannot be read. */
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
