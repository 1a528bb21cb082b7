/** A row as it stands in the file. */
export interface RawRow {
  /** Line of the file it begins on; the first line is 1. */
  line: number
  /** The cells of a CSV row with quotes; else the text of its line, as of an NDJSON line. */
  raw: readonly string[] | string
}

/** The values an operation needs, in the order of its columns; undefined where the row has none. */
export type Values = readonly (string | undefined)[]

/** A column an operation reads, by name; case, spaces, `_` and `-` in a header do not matter. */
export interface Column {
  name: string
  also?: readonly string[]
  required: boolean
}

/** The rows of a file, in either form. */
export interface RowFile {
  form: 'csv' | 'ndjson'
  /** Names of the columns that are not the operation's, in order; empty where rows name their own (NDJSON). */
  otherColumns: readonly string[]
  /** Rows in order, many at a time. Throws `UnreadableRow` where the file stops being what it claims to be. */
  batches: AsyncGenerator<RawRow[]>
  /** The values of a row, or (as text) why it cannot be read. */
  values(row: RawRow): Values | string
  /** What the other columns of a row hold, by name. */
  others(row: RawRow): Readonly<Record<string, unknown>>
  /** Rows as text that can be given to `--from` again, each with why it failed. */
  failedHead(): string
  failedRow(row: RawRow, why: FailedReason): string
}

/** Columns that say why a row failed; they are ignored when the file is run again. */
export interface FailedReason {
  failedKind: string
  failedMessage: string
}

/** Reading cannot go on from this line. */
export class UnreadableRow extends Error {
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.name = 'UnreadableRow'
    this.line = line
  }
}

/** The longest row that is read, in characters: a quote that is never closed must not swallow the file into memory. */
export const MAX_ROW_LENGTH = 10 * 1024 * 1024
