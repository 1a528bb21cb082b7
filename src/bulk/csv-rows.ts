import type { ParseResult, Parser } from 'papaparse'
import { MAX_ROW_LENGTH, type RawRow, UnreadableRow } from './row.ts'

/**
 * Reads the rows of a CSV text in batches, which may be empty. Leaves out blank rows. A row without quotes is returned as text. Throws
 * `UnreadableRow` for a quoted cell that is not closed or has text after its closing quote, and for a row that is longer than
 * `MAX_ROW_LENGTH`.
 * @param parser reads one row of a text (`preview: 1`)
 */
export async function* csvRows(
  text: AsyncGenerator<string>,
  parser: Parser,
  newline: '\n' | '\r',
  delimiter: string,
): AsyncGenerator<RawRow[]> {
  const reader = createReader(parser, newline, delimiter)
  for await (const piece of text) yield reader.read(piece, false)
  yield reader.read('', true)
}

function createReader(
  parser: Parser,
  newline: '\n' | '\r',
  delimiter: string,
): { read(piece: string, last: boolean): RawRow[] } {
  const blank = new RegExp(`^[\\s${delimiter}]*$`)
  const separator = delimiter.charCodeAt(0)
  // A row that begins with a visible character is not blank. Checking this first is faster than the pattern alone.
  const isBlank = (row: string) => {
    const first = row.charCodeAt(0)
    return !(first > 32 && first !== separator) && blank.test(row)
  }
  let pending = ''
  let line = 1
  /** An incomplete row is parsed again when its text has doubled. If every new piece were parsed, a long row would take quadratic time. */
  let enough = 0

  const quoted = (at: number, last: boolean): { cells: string[]; end: number } | undefined => {
    const rest = pending.slice(at)
    if (rest.length < enough && !last) return undefined
    const { data, errors }: ParseResult<string[]> = parser.parse(rest, 0, !last)
    const [cells] = data
    // The parser reports an error for every incomplete row, so ignore errors until the row is complete.
    if (cells !== undefined && errors.length > 0)
      throw new UnreadableRow(line, 'a quoted cell is not closed, or has text after its closing quote')
    enough = cells === undefined ? rest.length * 2 : 0
    return cells && { cells, end: at + parser.getCharIndex() }
  }

  return {
    read(piece, last) {
      const batch: RawRow[] = []
      pending += piece
      let at = 0
      let quote = pending.indexOf('"')
      while (at < pending.length) {
        if (quote !== -1 && quote < at) quote = pending.indexOf('"', at)
        const newlineAt = pending.indexOf(newline, at)
        if (newlineAt === -1 && !last) break
        const end = newlineAt === -1 ? pending.length : newlineAt
        if (quote === -1 || quote > end) {
          const row = plainLine(pending, at, end)
          if (!isBlank(row)) batch.push({ line, raw: row })
          line++
          at = end + 1
          continue
        }
        const row = quoted(at, last)
        if (row === undefined) break
        const cells = withoutReturn(row.cells)
        if (cells.some((cell) => cell.trim() !== '')) batch.push({ line, raw: cells })
        line += 1 + breaksIn(cells)
        at = row.end
      }
      pending = pending.slice(at)
      if (pending.length > MAX_ROW_LENGTH)
        throw new UnreadableRow(
          line,
          pending.includes('"')
            ? 'this row is longer than 10 MB; a closing quote may be missing'
            : 'this line is longer than 10 MB, so this is probably not a file of rows',
        )
      return batch
    },
  }
}

function plainLine(text: string, start: number, end: number): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end)
}

function withoutReturn(cells: string[]): string[] {
  const last = cells[cells.length - 1]
  if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
  return cells
}

function breaksIn(cells: readonly string[]): number {
  let breaks = 0
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) breaks++
  }
  return breaks
}
