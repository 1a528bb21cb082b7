import { usage } from '../errors.ts'
import { openCsv } from './csv-file.ts'
import type { Input } from './input.ts'
import { openNdjson } from './ndjson-file.ts'
import type { Column, RowFile } from './row.ts'
import { textOf } from './text.ts'

/**
 * Begins to read a file of rows; its first character tells NDJSON from CSV.
 * Throws `usage` for an empty file, a JSON array, or a header without the columns that are needed.
 */
export async function openRows(
  input: Input,
  columns: readonly Column[],
  onBytes?: (bytes: Uint8Array) => void,
): Promise<RowFile> {
  const text = textOf(input, onBytes)
  let first = ''
  // The first line decides on its own, so it must be whole.
  while (!hasWholeLine(first) && first.length < 1_000_000) {
    const piece = await text.next()
    if (piece.done) break
    first += piece.value
  }
  if (first.trim() === '') throw usage(`${input.name} is empty`, 'It needs a header line and rows.', 'NO_ROWS')
  const start = first.trimStart()[0]
  if (start === '[') {
    throw usage(
      `${input.name} is a JSON array; rows come one object a line (NDJSON)`,
      "Turn it into lines with: jq -c '.[]'",
      'NOT_NDJSON',
    )
  }
  return start === '{' ? openNdjson(text, first, columns) : openCsv(input.name, text, first, columns)
}

/** Whether a line that is not blank has ended. Two searches, because one pattern for both would begin anew at every character. */
function hasWholeLine(text: string): boolean {
  const start = text.search(/\S/)
  return start !== -1 && text.includes('\n', start)
}
