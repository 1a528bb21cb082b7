import type { Operation } from './row.ts'
import type { DoneRow } from './send-rows.ts'

export type ResultForm = 'csv' | 'ndjson' | 'json'

export interface ResultText {
  head(): string
  rows(rows: readonly DoneRow[]): string
  foot(): string
}

export interface ResultTextOptions {
  operation: Operation
  otherColumns: readonly string[]
  /** Returns a value as a cell. A text that a spreadsheet would run as a formula is changed, except with `--csv-raw`. */
  cell(value: unknown): string | number | boolean
  clean(json: string): string
  /** Whether CSV has the form that Excel in Spanish opens by a double click: a byte order mark, semicolons, and decimal commas. */
  isForExcel?: boolean
}

const ERROR_COLUMNS = ['kind', 'code', 'status', 'message'] as const
const ERROR_NAMES = ERROR_COLUMNS.map((name) => `error${name[0]?.toUpperCase()}${name.slice(1)}`)

/**
 * Formats results as text. An input column with the name of a result column is renamed to `input.<name>`. If the input already has a
 * column `input.<name>`, the prefix is repeated, so that all columns have different names.
 */
export async function createResultText(form: ResultForm, options: ResultTextOptions): Promise<ResultText> {
  const id = options.operation.columns[options.operation.id]?.name ?? 'id'
  const own = ['line', id, 'outcome', ...options.operation.resultColumns, 'error']
  const taken = new Set(own)
  if (form === 'csv') {
    const others = new Set(options.otherColumns)
    const ofErrors = new Set(ERROR_NAMES)
    const isTaken = (name: string, before: string) =>
      taken.has(name) || ofErrors.has(name) || (name !== before && others.has(name))
    return csvText(
      id,
      options.otherColumns.map((name) => freeName(name, isTaken)),
      options,
    )
  }
  const key = JSON.stringify(id)

  const object = ({ raw, id: value, result, json, others }: DoneRow) => {
    const isTaken = (name: string, before: string) =>
      taken.has(name) || Object.hasOwn(result, name) || (name !== before && Object.hasOwn(others, name))
    let text = `{"line":${raw.line},${key}:${JSON.stringify(value)},${json.slice(1, -1)}`
    for (const name of Object.keys(others))
      text += `,${JSON.stringify(freeName(name, isTaken))}:${JSON.stringify(others[name])}`
    return options.clean(`${text}}`)
  }
  if (form === 'ndjson') {
    return { head: () => '', rows: (rows) => rows.map((row) => `${object(row)}\n`).join(''), foot: () => '' }
  }
  let first = true
  return {
    head: () => '[',
    rows(rows) {
      const text = rows.map((row, i) => `${first && i === 0 ? '\n' : ',\n'}${object(row)}`).join('')
      if (rows.length > 0) first = false
      return text
    },
    foot: () => '\n]\n',
  }
}

function freeName(name: string, isTaken: (name: string, before: string) => boolean): string {
  let free = name
  while (isTaken(free, name)) free = `input.${free}`
  return free
}

async function csvText(id: string, otherNames: readonly string[], options: ResultTextOptions): Promise<ResultText> {
  const { default: papa } = await import('papaparse')
  const { operation, otherColumns, isForExcel = false } = options
  const cell = isForExcel ? (value: unknown) => withComma(options.cell(value)) : options.cell
  const delimiter = isForExcel ? ';' : ','
  const lines = (table: unknown[][]) =>
    table.length === 0 ? '' : `${papa.unparse(table, { newline: '\n', delimiter })}\n`
  const mark = isForExcel ? '\ufeff' : ''
  return {
    head: () =>
      mark + lines([['line', id, 'outcome', ...operation.resultColumns, ...ERROR_NAMES, ...otherNames.map(cell)]]),
    rows: (rows) =>
      lines(
        rows.map(({ raw, id: value, result, others }) => {
          return [
            raw.line,
            cell(value),
            result.outcome,
            ...operation.resultColumns.map((name) => cell(words(result[name]))),
            ...ERROR_COLUMNS.map((name) => cell(result.error?.[name])),
            // A row of NDJSON may lack a column. Without this check, a missing column with the name `constructor` would contain a function.
            ...otherColumns.map((name) => cell(Object.hasOwn(others, name) ? others[name] : undefined)),
          ]
        }),
      ),
    foot: () => '',
  }
}

function words(value: unknown): unknown {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(' ') : value
}

const withComma = (cell: string | number | boolean) =>
  typeof cell === 'number' && !Number.isInteger(cell) ? String(cell).replace('.', ',') : cell
