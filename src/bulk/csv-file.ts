import { readHeader } from './columns.ts'
import { csvRows } from './csv-rows.ts'
import type { Column, RowFile } from './row.ts'

/** Rows of a CSV text with a header line: comma, semicolon or tab, LF or CRLF, quotes as in RFC 4180. */
export async function openCsv(
  name: string,
  text: AsyncGenerator<string>,
  first: string,
  columns: readonly Column[],
): Promise<RowFile> {
  const { default: papa } = await import('papaparse')
  const newline = /\n/.test(first) || !/\r/.test(first) ? '\n' : '\r'
  const delimiter = guessDelimiter(first, newline)
  const rows = csvRows(continued(first, text), new papa.Parser({ delimiter, newline, preview: 1 }), newline, delimiter)
  const cellsOf = (raw: readonly string[] | string) => (typeof raw === 'string' ? raw.split(delimiter) : raw)
  const head = await rows.next()
  const [top, ...rest] = head.done ? [] : head.value
  const names = top === undefined ? [] : cellsOf(top.raw)
  const header = readHeader(name, names, columns)
  const unparse = (cells: readonly string[]) => `${papa.unparse([[...cells]], { delimiter, newline: '\n' })}\n`
  const wrongCount = (count: number) =>
    `it has ${count} cell${count === 1 ? '' : 's'}, and the first line has ${names.length}`
  /** For each cell of a row, which column it is; -1 for another. */
  const columnOf = names.map((_, position) => header.positions.indexOf(position))
  return {
    form: 'csv',
    otherColumns: header.others.map((other) => other.name),
    batches: (async function* () {
      if (rest.length > 0) yield rest
      yield* rows
    })(),
    values({ raw }) {
      const values: (string | undefined)[] = columns.map(() => undefined)
      if (typeof raw !== 'string') {
        if (raw.length !== names.length) return wrongCount(raw.length)
        for (const [i, position] of header.positions.entries()) values[i] = raw[position]?.trim() || undefined
        return values
      }
      // Only the cells that are asked for are cut out of the line.
      let cells = 0
      for (let start = 0; start !== -1; cells++) {
        const end = raw.indexOf(delimiter, start)
        const column = columnOf[cells]
        if (column !== undefined && column !== -1)
          values[column] = (end === -1 ? raw.slice(start) : raw.slice(start, end)).trim() || undefined
        start = end === -1 ? -1 : end + 1
      }
      return cells === names.length ? values : wrongCount(cells)
    },
    others({ raw }) {
      const others: Record<string, unknown> = {}
      if (header.others.length === 0) return others
      const cells = cellsOf(raw)
      for (const { name, position } of header.others) others[name] = cells[position]
      return others
    },
    failedHead: () => unparse([...names, 'failedKind', 'failedMessage']),
    failedRow: ({ raw }, why) => unparse([...cellsOf(raw), why.failedKind, why.failedMessage]),
  }
}

async function* continued(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** The header names columns, so the separator is what stands in it most often. */
function guessDelimiter(text: string, newline: string): string {
  const end = text.indexOf(newline)
  const head = end === -1 ? text : text.slice(0, end)
  const count = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}
