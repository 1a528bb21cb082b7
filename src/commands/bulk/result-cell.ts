import type { ResultTextOptions } from '../../bulk/result-rows.ts'
import { cell } from '../../terminal/csv.ts'
import { visible } from '../../text/visible.ts'

type Cell = ResultTextOptions['cell']

/** A CSV cell of a result: harmless for a spreadsheet, and without control characters; line breaks of a cell stay. */
export const resultCell: Cell = (value) => {
  const text = cell(value)
  return typeof text === 'string' ? shown(text) : text
}

/** A cell as it came, for `--csv-raw`. */
const rawCell: Cell = (value) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? '') as string | number | boolean)

/** How cells are written. On a terminal nothing drives it, not even with `--csv-raw`. */
export function cellsFor(csvRaw: boolean, isTerminal: boolean): Cell {
  const chosen = csvRaw ? rawCell : resultCell
  if (!isTerminal) return chosen
  return (value) => {
    const text = chosen(value)
    return typeof text === 'string' ? visible(text) : text
  }
}

const shown = (text: string) =>
  text
    .split('\r\n')
    .map((line) => visible(line, true))
    .join('\r\n')
