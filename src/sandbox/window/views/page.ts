/** A page of a list. */
export interface Page<Row> {
  /** From 0. */
  page: number
  /** Rows of a full page. */
  pageRows: number
  /** Rows of all pages. */
  total: number
  rows: readonly Row[]
}
