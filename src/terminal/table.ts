import { visible } from './text.ts'
import { measureFor } from './width.ts'

export interface Column<Row> {
  title: string
  /** The cell's text; control characters in it are made visible. */
  value: (row: Row) => string
  align?: 'left' | 'right'
  /** The column that gives way first when the terminal is narrow. */
  shrinks?: boolean
  /** Look of a cell, applied after it was cleaned and fitted. */
  look?: (text: string, row: Row) => string
}

export interface TableOptions {
  /** Columns the terminal has. */
  width: number
  bold: (text: string) => string
}

/** Rows as a table that fits the width it has: numbers to the right, the widest shrinkable columns cut with `…`. */
export async function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions,
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const cells = rows.map((row) => columns.map((column) => visible(column.value(row))))
  const measure = await measureFor([...columns.map(({ title }) => title), ...cells.flat()])
  const widths = columns.map((column, i) =>
    Math.max(measure(column.title), ...cells.map((line) => measure(line[i] ?? ''))),
  )
  fit(widths, columns, options.width - 2 * (columns.length - 1))
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
        const fitted = clip(text, widths[i] ?? 0, measure)
        const row = rows[r]
        const look = columns[i]?.look
        return look && row !== undefined ? look(fitted, row) : fitted
      }),
    )
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Two columns of names and values, for one thing. */
export function renderFields(
  fields: readonly (readonly [name: string, value: string])[],
  dim: (text: string) => string,
): string {
  const shown = fields.map(([name, value]) => [visible(name), visible(value)] as const)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${dim(name.padEnd(width))}  ${value}`).join('\n')
}

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

function fit<Row>(widths: number[], columns: readonly Column<Row>[], available: number): void {
  const shrinkable = columns.map((column, i) => ({ i, shrinks: column.shrinks ?? false }))
  for (const pass of [true, false]) {
    let over = widths.reduce((sum, width) => sum + width, 0) - available
    while (over > 0) {
      const widest = shrinkable
        .filter(({ shrinks, i }) => shrinks === pass && (widths[i] ?? 0) > 6)
        .sort((a, b) => (widths[b.i] ?? 0) - (widths[a.i] ?? 0))[0]
      if (!widest) break
      widths[widest.i] = (widths[widest.i] ?? 0) - 1
      over--
    }
  }
}

function clip(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (measure(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}
