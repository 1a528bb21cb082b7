/**
 * Records as CSV with a header line. Cells that a spreadsheet would run as a formula are made harmless with a leading `'`; numbers
 * stay numbers.
 */
export async function toCsv(rows: readonly unknown[]): Promise<string> {
  const { default: papa } = await import('papaparse')
  const flat = rows.map((row) => flatten(row))
  const fields = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  if (fields.length === 0) return ''
  return `${papa.unparse({ fields: fields.map((name) => String(cell(name))), data: flat.map((row) => fields.map((name) => cell(row[name]))) }, { newline: '\n' })}\n`
}

function flatten(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row } : { value: row }
}

/** One cell: scalars as they are, structures as JSON, with a leading `'` before a formula. */
export function cell(value: unknown): string | number | boolean {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\s\u00a0]*[=+\-@\t\r|%]/.test(text) ? `'${text}` : text
}
