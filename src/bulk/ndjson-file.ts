import { duplicateField, isRecord, isTooDeep, parseAsWritten, TOO_DEEP } from '../text/json-text.ts'
import { trimmed } from '../text/visible.ts'
import { type CellKind, createColumnReader, createNameList, nameOrDots, withoutNationalIds } from './columns.ts'
import { type InputColumn, MAX_ROW_LENGTH, type RawRow, type RowFile, UnreadableRow } from './row.ts'

/**
 * Opens an NDJSON text, which has one JSON object on each line.
 * @param name the name of the file, for errors
 */
export function openNdjson(
  name: string,
  text: AsyncGenerator<string>,
  first: string,
  columns: readonly InputColumn[],
): RowFile {
  const reader = createColumnReader(name, columns)
  const others = createNameList()
  const leftOut = createNameList()
  const layoutOf = (entries: readonly (readonly [string, unknown])[]) => {
    const names = entries.map(([each]) => each)
    const kinds = entries.map(([, value]) => kindOf(value))
    return { names, layout: reader.layout(names, kinds.every((kind) => kind === 'value') ? undefined : kinds) }
  }
  return {
    form: 'ndjson',
    get otherColumns() {
      return others.names()
    },
    get leftOut() {
      return leftOut.names() ?? ['•••']
    },
    use: reader.use,
    skipped: [],
    batches: lines(first, text),
    values({ raw, line }) {
      const object = rowIn(String(raw))
      if (typeof object === 'string') return object
      const entries = Object.entries(object)
      const { names, layout } = layoutOf(entries)
      for (const position of layout.leftOut) leftOut.add(nameOrDots(names[position] ?? ''))
      for (const position of layout.others) {
        const [title = '', value] = entries[position] ?? []
        others.add(title)
        withoutNationalIds(value, title, (path) => leftOut.add(nameOrDots(path)))
      }
      const wrong = layout.claims.flat().find((position) => kindOf(entries[position]?.[1]) === 'other')
      if (wrong !== undefined) return `${names[wrong]} must be text or a number`
      return reader.values(layout, names, line, (position) => textIn(entries[position]?.[1]))
    },
    others({ raw }) {
      const entries = Object.entries(objectIn(raw))
      const kept = layoutOf(entries).layout.others.map((position): [string, unknown] => {
        const [title = '', value] = entries[position] ?? []
        return [title, withoutNationalIds(value, title, () => {})]
      })
      return Object.fromEntries(kept)
    },
    spelled({ raw }, column) {
      const { names, layout } = layoutOf(Object.entries(objectIn(raw)))
      return names[layout.claims[column]?.[0] ?? -1] ?? columns[column]?.name ?? ''
    },
    texts({ raw }) {
      const object = rowIn(String(raw))
      return typeof object === 'string' ? [] : Object.values(object).flatMap((value) => textIn(value) ?? [])
    },
    failedHead: () => '',
    failedRow({ raw }, why) {
      return `${JSON.stringify({ ...objectIn(raw), ...why })}\n`
    },
  }
}

const isNumber = (value: unknown) => typeof value === 'number' || JSON.isRawJSON(value)

function kindOf(value: unknown): CellKind {
  if (value === null) return 'none'
  return typeof value === 'string' || isNumber(value) ? 'value' : 'other'
}

function textIn(value: unknown): string | undefined {
  if (kindOf(value) !== 'value') return undefined
  return trimmed(typeof value === 'string' ? value : JSON.stringify(value)) || undefined
}

function objectIn(raw: RawRow['raw']): object {
  const value: unknown = parseAsWritten(String(raw))
  return isRecord(value) ? value : {}
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

/** Returns the object of a row, or a text that says why the row cannot be read. */
function rowIn(text: string): object | string {
  if (isTooDeep(text)) return TOO_DEEP
  let object: unknown
  try {
    object = parseAsWritten(text)
  } catch {
    return 'it is not JSON (one object on each line)'
  }
  if (!isRecord(object)) return 'it is not a JSON object'
  const twice = duplicateField(text, Object.keys(object))
  return twice === undefined ? object : `${twice} occurs twice`
}
