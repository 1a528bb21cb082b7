import { duplicateField } from '../text/duplicate-field.ts'
import { isTooDeep, parseAsWritten, TOO_DEEP } from '../text/json-text.ts'
import { columnFinder, LEFT_OUT, nameOrDots, substituteFinder } from './columns.ts'
import { createNameList } from './name-list.ts'
import { withoutNationalIds } from './national-ids.ts'
import { type InputColumn, MAX_ROW_LENGTH, type RawRow, type RowFile, UnreadableRow, type Values } from './row.ts'

/** Opens an NDJSON text, which has one JSON object on each line. */
export function openNdjson(text: AsyncGenerator<string>, first: string, columns: readonly InputColumn[]): RowFile {
  const find = rowFinder(columns)
  const others = createNameList()
  const leftOut = createNameList()
  const addOther = (name: string, value: unknown, column: number) => {
    if (column === LEFT_OUT) leftOut.add(nameOrDots(name))
    if (column !== -1) return
    others.add(name)
    withoutNationalIds(value, name, (path) => leftOut.add(nameOrDots(path)))
  }
  return {
    form: 'ndjson',
    get otherColumns() {
      return others.names()
    },
    get leftOut() {
      return leftOut.names() ?? ['•••']
    },
    doubtful: [],
    batches: lines(first, text),
    values: ({ raw }) => readValues(String(raw), columns, find, addOther),
    others({ raw }) {
      const object = objectIn(raw)
      const columnOf = find(object)
      const kept = Object.entries(object).filter(([name]) => columnOf(name) === -1)
      return Object.fromEntries(kept.map(([name, value]) => [name, withoutNationalIds(value, name, () => {})]))
    },
    failedHead: () => '',
    failedRow({ raw }, why) {
      return `${JSON.stringify({ ...objectIn(raw), ...why })}\n`
    },
  }
}

type FindColumn = (name: string) => number

/**
 * Returns a function that makes the column finder of a row. The finder depends on the row, because a field named in `orElse` is read only
 * if it is text or a number and the row has no other field for the same column.
 */
function rowFinder(columns: readonly InputColumn[]): (row: object) => FindColumn {
  const find = columnFinder(columns)
  const substitute = substituteFinder(columns)
  return (row) => {
    const spare = Object.entries(row).find(([name, value]) => substitute(name) >= 0 && isCell(value))?.[0]
    if (spare === undefined) return find
    const column = substitute(spare)
    if (Object.entries(row).some(([name, value]) => find(name) === column && value !== null)) return find
    return (name) => (name === spare ? column : find(name))
  }
}

const isNumber = (value: unknown) => typeof value === 'number' || JSON.isRawJSON(value)

const isCell = (value: unknown) => typeof value === 'string' || isNumber(value)

function objectIn(raw: RawRow['raw']): object {
  const value: unknown = parseAsWritten(String(raw))
  return isObject(value) ? value : {}
}

/** `parseAsWritten` returns an object for a number that JavaScript cannot hold as it is written. Such an object is excluded here. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
}

async function* lines(first: string, rest: AsyncGenerator<string>): AsyncGenerator<RawRow[]> {
  let line = 0
  let pending = first
  for (;;) {
    const parts = pending.split('\n')
    pending = parts.pop() ?? ''
    const batch: RawRow[] = []
    for (const part of parts) {
      line++
      if (part.trim() !== '') batch.push({ line, raw: part })
    }
    yield batch
    if (pending.length > MAX_ROW_LENGTH) throw new UnreadableRow(line + 1, 'this line is longer than 10 MB')
    const next = await rest.next()
    if (next.done) break
    pending += next.value
  }
  if (pending.trim() !== '') yield [{ line: line + 1, raw: pending }]
}

/** @param other called for each field that is not read, with the position that `find` returned for its name */
function readValues(
  text: string,
  columns: readonly InputColumn[],
  find: (row: object) => FindColumn,
  other: (name: string, value: unknown, column: number) => void,
): Values | string {
  if (isTooDeep(text)) return TOO_DEEP
  let object: unknown
  try {
    object = parseAsWritten(text)
  } catch {
    return 'it is not JSON (one object on each line)'
  }
  if (!isObject(object)) return 'it is not a JSON object'
  const twice = duplicateField(text, Object.keys(object))
  if (twice !== undefined) return `${twice} occurs twice`
  const values: (string | undefined)[] = columns.map(() => undefined)
  const columnOf = find(object)
  for (const [name, value] of Object.entries(object)) {
    const column = columnOf(name)
    if (column < 0) other(name, value, column)
    if (column < 0 || value === null) continue
    if (!isCell(value)) return `${name} must be text or a number`
    if (values[column] !== undefined) return `${columns[column]?.name} occurs twice`
    values[column] = (typeof value === 'string' ? value : JSON.stringify(value)).trim() || undefined
  }
  return values
}
