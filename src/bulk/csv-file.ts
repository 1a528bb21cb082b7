import type { ParseResult, Parser } from 'papaparse'
import { unguarded } from '../text/escaping.ts'
import { trimmed } from '../text/visible.ts'
import { createColumnReader, fit, isFailedReason, readHeader } from './columns.ts'
import { type InputColumn, MAX_ROW_LENGTH, type RawRow, type RowFile, UnreadableRow } from './row.ts'

/**
 * Reads the rows of a CSV text in batches, which may be empty. Leaves out blank rows. A row without quotes is returned as text. Throws
 * `UnreadableRow` for a quoted cell that is not closed or has text after its closing quote, and for a row that is longer than
 * `MAX_ROW_LENGTH`.
 * @param parser reads one row of a text (`preview: 1`)
 */
async function* csvRows(
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

/**
 * Opens a CSV text with a header line (RFC 4180). The separator is a comma, a semicolon, a tab, or the character that a `sep=` line names.
 */
export async function openCsv(
  name: string,
  text: AsyncGenerator<string>,
  first: string,
  columns: readonly InputColumn[],
): Promise<RowFile> {
  const { default: papa } = await import('papaparse')
  const newline = /\n/.test(first) || !/\r/.test(first) ? '\n' : '\r'
  const named = separatorOf(first)
  // Without `fastMode: false`, papaparse splits a text without quotes at every line end, although only its first row is needed.
  const cellsWith: ReadFirstRow = (start, delimiter) => {
    const parser = new papa.Parser({ delimiter, newline, preview: 1, fastMode: false })
    const { data, errors }: ParseResult<string[]> = parser.parse(start, 0, false)
    return errors.length > 0 ? undefined : data[0]
  }
  const delimiter = named ?? guessDelimiter(first, columns, cellsWith)
  const rows = csvRows(continued(first, text), new papa.Parser({ delimiter, newline, preview: 1 }), newline, delimiter)
  const cellsOf = (raw: readonly string[] | string) => (typeof raw === 'string' ? raw.split(delimiter) : raw)
  const lines = await atLeast(rows, named === undefined ? 1 : 2)
  if (named !== undefined) lines.shift()
  const [top, ...rest] = lines
  const names = top === undefined ? [] : cellsOf(top.raw)
  const titles = names.map(cellText)
  const reader = createColumnReader(name, columns)
  const header = readHeader(name, titles, columns, reader)
  const { layout } = header
  const unparse = (cells: readonly string[]) => `${papa.unparse([[...cells]], { delimiter, newline: '\n' })}\n`
  const wrongCount = (count: number) =>
    `it has ${count} cell${count === 1 ? '' : 's'}, but the first line has ${names.length}`
  // The columns failedKind and failedMessage of an earlier run are replaced.
  const kept = names.flatMap((cell, position) => (isFailedReason(cell) ? [] : [position]))
  const withReasons = (cells: readonly string[], reasons: readonly string[]) =>
    unparse([...kept.map((position) => cells[position] ?? ''), ...reasons])
  let spare = 0
  const columnOf = names.map((_, position) => layout.claims.findIndex((positions) => positions.includes(position)))
  return {
    form: 'csv',
    otherColumns: header.others.map((other) => other.name),
    leftOut: header.leftOut,
    use: reader.use,
    skipped: [],
    spelled: (_, column) => titles[layout.claims[column]?.[0] ?? -1] ?? columns[column]?.name ?? '',
    texts: ({ raw }) => cellsOf(raw).map(cellText),
    batches: (async function* () {
      const begun = await atLeast(rows, 2, rest)
      spare = spareCells(
        begun.slice(0, 2).map(({ raw }) => cellsOf(raw)),
        names.length,
      )
      yield begun
      yield* rows
    })(),
    values({ raw, line }) {
      if (spare > 0 && !isSpare(cellsOf(raw), names.length)) return wrongCount(cellsOf(raw).length)
      if (typeof raw !== 'string' || !layout.isPlain) {
        const cells = cellsOf(raw)
        if (cells.length !== names.length + spare) return wrongCount(cells.length)
        return reader.values(layout, titles, line, (position) => cellText(cells[position] ?? '') || undefined)
      }
      const values: (string | undefined)[] = columns.map(() => undefined)
      let cells = 0
      for (let start = 0; start !== -1; cells++) {
        const end = raw.indexOf(delimiter, start)
        const column = columnOf[cells]
        if (column !== undefined && column !== -1)
          values[column] = cellText(end === -1 ? raw.slice(start) : raw.slice(start, end)) || undefined
        start = end === -1 ? -1 : end + 1
      }
      return cells === names.length + spare ? values : wrongCount(cells)
    },
    others({ raw }) {
      if (header.others.length === 0) return {}
      const cells = cellsOf(raw)
      // An assignment would lose a column with the name `__proto__`.
      return Object.fromEntries(header.others.map(({ name, position }) => [name, unguarded(cells[position] ?? '')]))
    },
    failedHead() {
      // A later run must be able to read the file as it is, so the file names its separator if this run did not find it in the header.
      const head = withReasons(names, ['failedKind', 'failedMessage'])
      const isReadAgain = isCsv(head) && (separatorOf(head) ?? guessDelimiter(head, columns, cellsWith)) === delimiter
      return named === undefined && isReadAgain ? head : `sep=${delimiter}\n${head}`
    },
    failedRow: ({ raw }, why) => withReasons(cellsOf(raw), [why.failedKind, why.failedMessage]),
  }
}

/**
 * Returns the value that a cell of CSV stands for: without blanks at its ends, and without the sign that keeps a spreadsheet from changing
 * the value. That is the `'` which bnpl writes before a formula, or the formula `="0012"`.
 */
function cellText(cell: string): string {
  const text = trimmed(cell)
  const first = text.charCodeAt(0)
  if (first === APOSTROPHE) return trimmed(unguarded(text))
  if (first !== EQUALS_SIGN) return text
  const [, inside] = /^="([^"]*)"$/s.exec(text) ?? []
  return inside === undefined ? text : trimmed(inside)
}

const APOSTROPHE = 0x27
const EQUALS_SIGN = 0x3d

async function* continued(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** Whether a file with this text would be read as CSV. A text that begins with `{` or `[` is read as JSON. */
const isCsv = (text: string): boolean => !/^\s*[[{]/.test(text)

/** Excel writes and reads this line before the header. It names the separator. */
const SEPARATOR_LINE = /^\s*("?)sep=([,;|\t])\1[ ]*[\r\n]/i

const separatorOf = (text: string) => SEPARATOR_LINE.exec(text)?.[2]

async function atLeast(rows: AsyncGenerator<RawRow[]>, count: number, begun: RawRow[] = []): Promise<RawRow[]> {
  const taken = [...begun]
  while (taken.length < count) {
    const batch = await rows.next()
    if (batch.done) break
    taken.push(...batch.value)
  }
  return taken
}

/** Returns the cells of the first row of a text; undefined if the row cannot be read with this separator. */
type ReadFirstRow = (text: string, delimiter: string) => readonly string[] | undefined

/**
 * Returns the separator with which the header names the most of the columns that are read. The number of cells decides only between equals,
 * because the name of a copied column may contain more commas than the header has columns. Separators inside quotes do not count.
 */
function guessDelimiter(text: string, columns: readonly InputColumn[], cellsWith: ReadFirstRow): string {
  const head = text.replace(/^\s*[\r\n]/, '')
  let best = { delimiter: ',', fit: -1, count: 0 }
  for (const delimiter of [',', ';', '\t']) {
    const cells = cellsWith(head, delimiter)
    if (cells === undefined) continue
    const each = { delimiter, fit: fit(cells, columns), count: cells.length }
    if (each.fit > best.fit || (each.fit === best.fit && each.count > best.count)) best = each
  }
  return best.delimiter
}

/**
 * Returns how many empty cells each of the first two rows has beyond the columns of the header, or 0 if this number is not the same in both
 * rows. Some programs write such cells, because they end every row with a separator.
 * @param named the number of cells in the header line
 */
export function spareCells(first: readonly (readonly string[])[], named: number): number {
  const [a, b] = first
  if (a === undefined || b === undefined || a.length !== b.length || a.length <= named) return 0
  return isSpare(a, named) && isSpare(b, named) ? a.length - named : 0
}

/**
 * Whether the cells beyond the columns of the header can be ignored: all of them are empty, and no amount of the row, such as `1,000`, was
 * split into two cells. After such a split, the later values of the row are in wrong columns, even if the last cell is empty.
 * @param named the number of cells in the header line
 */
export function isSpare(cells: readonly string[], named: number): boolean {
  return cells.slice(named).every((cell) => cell.trim() === '') && !cells.some(isHalf)
}

/** Whether a cell and the next cell look like one amount that was split at its comma (`1,000`). */
const isHalf = (cell: string, i: number, cells: readonly string[]) =>
  /^\s*\d{1,3}$/.test(cell) && /^\d{3}\s*$/.test(cells[i + 1] ?? '')
