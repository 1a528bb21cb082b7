import { visible } from './text.ts'
import { measureFor } from './width.ts'
import { fitting, LEAST_ROOM, linesOf, wrap } from './wrap.ts'

export interface Column<Row> {
  /** Control characters in it are made visible as well: some are names of fields that the service sent. */
  title: string
  /** The cell's text; control characters in it are made visible. */
  value: (row: Row) => string
  align?: 'left' | 'right'
  /** The column that gives way first when the terminal is narrow: cut, or over several lines. */
  shrinks?: boolean | 'wraps'
  /** Look of a cell, applied after it was cleaned and fitted. */
  look?: (text: string, row: Row) => string
}

export interface TableOptions {
  /** Columns the terminal has. */
  width: number
  bold: (text: string) => string
}

/** Rows as a table that fits the width it has: numbers to the right, the widest shrinkable columns cut with `…` or over several lines. */
export async function renderTable<Row>(
  rows: readonly Row[],
  given: readonly Column<Row>[],
  options: TableOptions,
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const columns = given.map((column) => ({ ...column, title: visible(bounded(column.title)) }))
  const cells = rows.map((row) => columns.map((column) => visible(bounded(column.value(row)))))
  const measure = await measureFor([...columns.map(({ title }) => title), ...cells.flat()])
  const widths = columns.map((column, i) =>
    Math.max(measure(column.title), ...cells.map((line) => measure(line[i] ?? ''))),
  )
  const titles = columns.map(({ title }) => measure(title))
  fit(widths, titles, columns, options.width - 2 * (columns.length - 1))
  const table = new Table({
    chars: BARE,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: widths,
    colAligns: columns.map((column) => column.align ?? 'left'),
  })
  table.push(columns.map((column, i) => options.bold(clip(column.title, widths[i] ?? 0, measure))))
  for (const [r, line] of cells.entries()) {
    table.push(
      line.map((text, i) => {
        const width = widths[i] ?? 0
        const parts = columns[i]?.shrinks === 'wraps' ? linesOf(text, width, measure) : [text]
        const row = rows[r]
        const look = columns[i]?.look
        return parts
          .map((part) => clip(part, width, measure))
          .map((part) => (look && row !== undefined ? look(part, row) : part))
          .join('\n')
      }),
    )
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Two columns of names and values, for one thing: values that the width has no room for go on, or stand, below. */
export async function renderFields(
  fields: readonly (readonly [name: string, value: string])[],
  { width, style }: { width: number; style: { dim(text: string): string } },
): Promise<string> {
  const shown = fields.map(([name, value]) => [visible(name), visible(value)] as const)
  const measure = await measureFor(shown.flat())
  const names = Math.max(0, ...shown.map(([name]) => measure(name)))
  const room = width - names - 2
  const indent = ' '.repeat(names + 2)
  return shown
    .map(([name, value]) => {
      if (room < LEAST_ROOM && measure(value) > room)
        return `${style.dim(name)}\n  ${wrap(value, width - 2, '  ', measure)}`
      const gap = ' '.repeat(names - measure(name) + 2)
      return `${style.dim(name)}${gap}${wrap(value, room, indent, measure)}`
    })
    .join('\n')
}

/** Characters of a cell: a longer one is no table's any more, and the library shortens each for its own log, in quadratic time. */
const CELL_CHARACTERS = 1000

const bounded = (text: string) =>
  text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…` : text

/** No lines, two spaces between columns. */
const BARE = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((name) => [name, '']),
) as Record<string, string>
BARE.middle = '  '

/** Takes what is too much from the widest: of the columns that give way first, then of the others, and from the titles last. */
function fit<Row>(
  widths: number[],
  titles: readonly number[],
  columns: readonly Column<Row>[],
  available: number,
): void {
  const all = columns.map((column, i) => ({
    i,
    shrinks: (column.shrinks ?? false) !== false,
    least: Math.max(6, titles[i] ?? 0),
  }))
  const passes = [
    all.filter(({ shrinks }) => shrinks),
    all.filter(({ shrinks }) => !shrinks),
    all.map((column) => ({ ...column, least: 3 })),
  ]
  let over = widths.reduce((sum, width) => sum + width, 0) - available
  for (const pass of passes) {
    while (over > 0) {
      const widest = pass
        .filter(({ i, least }) => (widths[i] ?? 0) > least)
        .sort((a, b) => (widths[b.i] ?? 0) - (widths[a.i] ?? 0))[0]
      if (!widest) break
      widths[widest.i] = (widths[widest.i] ?? 0) - 1
      over--
    }
  }
}

/** A text that fits, its end cut with `…` where it does not. */
export function clip(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  return `${fitting(text, width - 1, measure)}…`
}
