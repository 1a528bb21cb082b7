import { guarded } from '../text/escaping.ts'
import { isRecord } from '../text/json-text.ts'
import { visible } from '../text/visible.ts'

/**
 * Returns records as CSV with a header line. Texts that a spreadsheet would run as a formula get a leading `'`. Control characters are
 * written as `\u` escapes even in a pipe, because the text may later be shown on a terminal.
 * @param columns the first columns, which are there even if no record has them
 */
export async function toCsv(rows: readonly unknown[], columns: readonly string[] = []): Promise<string> {
  const { default: papa } = await import('papaparse')
  const flat = rows.map((row) => flatten(row))
  const fields = [...new Set([...columns, ...flat.flatMap((row) => Object.keys(row))])]
  if (fields.length === 0) return ''
  return `${papa.unparse({ fields: fields.map((name) => String(harmlessCell(name))), data: flat.map((row) => fields.map((name) => harmlessCell(row[name]))) }, { newline: '\n' })}\n`
}

function flatten(row: unknown): Record<string, unknown> {
  return isRecord(row) ? { ...row } : { value: row }
}

/** Returns one cell: a single value unchanged, a structure as JSON, and a formula with `'` put before it. */
export function cell(value: unknown): string | number | boolean {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return guarded(text)
}

/** Returns a cell that is harmless for a spreadsheet and for a terminal. Line breaks are kept. */
export function harmlessCell(value: unknown): string | number | boolean {
  const text = cell(value)
  if (typeof text !== 'string') return text
  return text
    .split('\r\n')
    .map((line) => visible(line, true))
    .join('\r\n')
}
