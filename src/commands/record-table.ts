import type { Context } from '../context.ts'
import { type Column, clip, renderFields, renderTable } from '../terminal/table.ts'
import { visible } from '../terminal/text.ts'
import { measureFor } from '../terminal/width.ts'

/** Records whose fields the specification does not show: what came is what is shown, in the order it came. */
type Fields = Record<string, unknown>

/** Fields that hold a signature: they open a report for whoever has them, so a table for eyes leaves them out. */
const LINKS = new Set(['urlInforme'])

/** One record, a line a field. */
export async function renderRecord(context: Context, record: Fields): Promise<string> {
  const lines = Object.entries(record).map(
    ([name, value]) => [name, LINKS.has(name) ? LEFT_OUT : spaced(value)] as const,
  )
  return lines.length === 0 ? 'Nothing is known of it.' : renderFields(lines, context.output)
}

const INDENT = '  '

const LEFT_OUT = '(a signed link; --json shows it)'

/**
 * Several records: their ids and as many of the other fields as the terminal has room for, a line each; and a line below with the values
 * of the rest, where there is a rest.
 */
export async function renderRecords(context: Context, records: readonly Fields[], none: string): Promise<string> {
  if (records.length === 0) return none
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => !LINKS.has(name))
  const ordered = names.filter((name) => name !== 'idPreAprobacion')
  if (ordered.length < names.length) ordered.splice(1, 0, 'idPreAprobacion')
  const columns: Column<Fields>[] = []
  let room = context.output.width
  for (const name of ordered) {
    const width = Math.max(name.length, ...records.map((record) => shown(record[name]).length))
    if (columns.length >= 2 && width > room) break
    room -= width + 2
    columns.push({ title: name, value: (record) => shown(record[name]), shrinks: name !== 'idPreAprobacion' })
  }
  const { width, style } = context.output
  const table = await renderTable(records, columns, { width, bold: style.bold })
  const rest = ordered.slice(columns.length)
  if (rest.length === 0) return table
  const values = records.map((record) => rest.map((name) => visible(shown(record[name]))).join(' · '))
  const measure = await measureFor(values)
  const below = values.map((value) => clip(value, width - INDENT.length, measure))
  if (below.some((value, i) => value !== values[i])) context.output.note('Cut where it ends in …; --json has it all.')
  const [titles, ...lines] = table.split('\n')
  return [titles, ...lines.flatMap((line, i) => [line, `${INDENT}${style.dim(below[i] ?? '')}`])].join('\n')
}

/** The same where there is room below: JSON with gaps that a line can end at. */
export function spaced(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, null, 1).replace(/\n */g, ' ')
    : shown(value)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
