/** A row as it is in the file. */
export interface RawRow {
  /** The line on which it begins; the first line is 1. */
  line: number
  /** The cells of a CSV row with quotes; otherwise the text of the line. */
  raw: readonly string[] | string
}

/** The values that an operation reads, in the order of its columns; undefined for an empty cell. */
export type Values = readonly (string | undefined)[]

/** A column that an operation reads, by name. Case, spaces, `_` and `-` in a header do not matter. */
export interface InputColumn {
  name: string
  also?: readonly string[]
  /** Names that it has only where no other column is it: a shop's own object of this name passes through beside it. */
  orElse?: readonly string[]
  /** Names that a person may give it although they mean other things too. Such a column passes through, and the run warns. */
  alike?: readonly string[]
  required: boolean
}

/** A column of a file, and the column of the operation that it may be meant as. */
export interface DoubtfulColumn {
  name: string
  meant: string
}

/** The rows of a file, CSV or NDJSON. */
export interface RowFile {
  form: 'csv' | 'ndjson'
  /** Names of the columns that the operation does not read, in order; empty for NDJSON, where each row names its own columns. */
  otherColumns: readonly string[]
  /** Columns that are not read and may be meant as one that the file lacks (`alike`); empty for NDJSON. */
  doubtful: readonly DoubtfulColumn[]
  /** Rows in order, many at a time; a batch may be empty. Throws `UnreadableRow` where reading cannot continue. */
  batches: AsyncGenerator<RawRow[]>
  /** The values of a row, or (as text) why it cannot be read. */
  values(row: RawRow): Values | string
  /** The values of a row's other columns, by name. */
  others(row: RawRow): Readonly<Record<string, unknown>>
  /** The header of a file of failed rows, which can be the next `--from`. */
  failedHead(): string
  /** A row of that file, with the reason of its failure. */
  failedRow(row: RawRow, why: FailedReason): string
}

/** The extra columns of a file of failed rows. A run ignores them. */
export interface FailedReason {
  failedKind: string
  failedMessage: string
}

/** Reading cannot continue from this line. */
export class UnreadableRow extends Error {
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.name = 'UnreadableRow'
    this.line = line
  }
}

/** The longest row, in characters. Without this limit, a missing closing quote would read the whole file into memory. */
export const MAX_ROW_LENGTH = 10 * 1024 * 1024
