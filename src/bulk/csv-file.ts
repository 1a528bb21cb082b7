import { Readable } from 'node:stream'
import type { ParseResult } from 'papaparse'
import { readHeader } from './columns.ts'
import { type Column, MAX_ROW_LENGTH, type RawRow, type RowFile, UnreadableRow } from './row.ts'

type Cells = string[]

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
  const rows = parse(papa.parse, continued(first, text), delimiter, newline)
  const head = await rows.next()
  const [top, ...rest] = head.done ? [] : head.value
  const names = (top?.raw ?? []) as readonly string[]
  const header = readHeader(name, names, columns)
  const unparse = (cells: readonly string[]) => `${papa.unparse([[...cells]], { delimiter, newline: '\n' })}\n`
  return {
    form: 'csv',
    otherColumns: header.others.map((other) => other.name),
    batches: (async function* () {
      if (rest.length > 0) yield rest
      yield* rows
    })(),
    values({ raw }) {
      if (raw.length !== names.length) return `it has ${raw.length} cells, and the first line has ${names.length}`
      const values: (string | undefined)[] = []
      for (const position of header.positions)
        values.push(position === -1 ? undefined : raw[position]?.trim() || undefined)
      return values
    },
    others({ raw }) {
      const others: Record<string, unknown> = {}
      for (const { name, position } of header.others) others[name] = raw[position]
      return others
    },
    failedHead: () => unparse([...names, 'failedKind', 'failedMessage']),
    failedRow: ({ raw }, why) => unparse([...raw, why.failedKind, why.failedMessage]),
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

/** Pulls rows through the parser: it is given the next piece of text only when the rows of the last one were taken. */
async function* parse(
  papaParse: typeof import('papaparse').parse,
  text: AsyncGenerator<string>,
  delimiter: string,
  newline: '\n' | '\r',
): AsyncGenerator<RawRow[]> {
  let given = 0
  const mayBreak = breakWatch()
  let broken = false
  const stream = Readable.from(
    (async function* () {
      for await (const piece of text) {
        given += piece.length
        broken ||= mayBreak(piece)
        yield piece
      }
    })(),
  )
  const ready: ParseResult<Cells>[] = []
  let over = false
  let failure: Error | undefined
  let wake = () => {}
  papaParse<Cells, Readable>(stream, {
    delimiter,
    newline,
    chunk(result: ParseResult<Cells>) {
      ready.push(result)
      stream.pause()
      wake()
    },
    complete() {
      over = true
      wake()
    },
    error(error: Error) {
      failure = error
      wake()
    },
  })
  let line = 1
  try {
    for (;;) {
      const result = ready.shift()
      if (result === undefined) {
        if (failure) throw failure
        if (over) return
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        stream.resume()
        await woken
        continue
      }
      const batch: RawRow[] = []
      line = collect(result, line, broken, batch)
      if (batch.length > 0) yield batch
      if (given - result.meta.cursor > MAX_ROW_LENGTH)
        throw new UnreadableRow(line, 'this row is longer than 10 MB: is a quote not closed?')
    }
  } finally {
    stream.destroy()
  }
}

/** Puts the rows of a result into a batch, blank lines left out. @param first the line the first of them begins on @returns the line after the last */
function collect(result: ParseResult<Cells>, first: number, broken: boolean, batch: RawRow[]): number {
  let line = first
  const [wrong] = result.errors
  for (const [i, cells] of result.data.entries()) {
    if (wrong !== undefined && wrong.row === i)
      throw new UnreadableRow(line, 'a quoted cell is not closed, or something follows its closing quote')
    const start = line
    line += broken ? 1 + breaksIn(cells) : 1
    if (cells.length === 1 && (cells[0] === '' || cells[0] === '\r')) continue
    const last = cells[cells.length - 1]
    if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
    batch.push({ line: start, raw: cells })
  }
  return line
}

/**
 * Tells from when on cells may have line breaks in them, so that no cell need be looked at before that. Quotes open and close by turns;
 * one that stands where it opens nothing makes the next line end look like a break, which is to be on the safe side.
 */
function breakWatch(): (piece: string) => boolean {
  let inside = false
  return (piece) => {
    let at = 0
    for (;;) {
      const quote = piece.indexOf('"', at)
      const end = quote === -1 ? piece.length : quote
      if (inside) {
        const newline = piece.indexOf('\n', at)
        if (newline !== -1 && newline < end) return true
      }
      if (quote === -1) return false
      inside = !inside
      at = quote + 1
    }
  }
}

function breaksIn(cells: Cells): number {
  let breaks = 0
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) breaks++
  }
  return breaks
}
