import { usage } from '../errors.ts'
import { shortened } from '../text/visible.ts'
import { isNationalId } from './national-ids.ts'
import type { DoubtfulColumn, InputColumn } from './row.ts'

const IGNORED = new Set(['failedkind', 'failedmessage'])

/** Whether a column with this name says why a row failed in an earlier run. */
export const isFailedReason = (name: string): boolean => IGNORED.has(plain(name))

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')

/**
 * Returns a function that finds a column by any of its names. The function returns the position in `columns`, -1 for a column that is copied
 * to the results, -2 for a column that a run ignores, or -3 for a column that is left out because it contains national ids.
 */
export const columnFinder = (columns: readonly InputColumn[]) =>
  finder(columns.map(({ name, also = [] }) => [name, ...also]))

/** Returns a function that finds a column by a name in `orElse`. The function returns the position in `columns`, or a negative number. */
export const substituteFinder = (columns: readonly InputColumn[]) => finder(columns.map(({ orElse = [] }) => orElse))

/** The result of `columnFinder` and `substituteFinder` functions for a column that is not read, because it contains national ids. */
export const LEFT_OUT = -3

function finder(names: readonly (readonly string[])[]): (name: string) => number {
  const known = new Map(names.flatMap((ofOne, i) => ofOne.map((name) => [plain(name), i] as const)))
  const found = new Map<string, number>()
  return (name) => {
    const before = found.get(name)
    if (before !== undefined) return before
    const word = plain(name)
    const position = IGNORED.has(word) ? -2 : (known.get(word) ?? (isNationalId(name) ? LEFT_OUT : -1))
    if (found.size < 1000) found.set(name, position)
    return position
  }
}

interface Header {
  positions: readonly number[]
  others: readonly { name: string; position: number }[]
  /** Names of the columns that are left out of the results. */
  leftOut: readonly string[]
  doubtful: readonly DoubtfulColumn[]
}

/**
 * Returns how well a header line fits the columns: the number of columns that it names. A required column counts more than all others
 * together.
 */
export function fit(cells: readonly string[], columns: readonly InputColumn[]): number {
  const [find, substitute] = [columnFinder(columns), substituteFinder(columns)]
  const found = new Set(cells.flatMap((cell) => [find(cell), substitute(cell)]))
  return columns.reduce((sum, { required }, i) => sum + (found.has(i) ? (required ? columns.length : 1) : 0), 0)
}

/** Reads a header line. Throws `usage` when a required column is missing, or a column occurs twice. */
export function readHeader(file: string, cells: readonly string[], columns: readonly InputColumn[]): Header {
  const find = columnFinder(columns)
  const positions = columns.map(() => -1)
  const others: { name: string; position: number }[] = []
  const names = new Set(cells.map((cell) => cell.trim()))
  const seen = new Set<string>()
  for (const [position, cell] of cells.entries()) {
    const name = cell.trim()
    const column = find(name)
    if (column === -1) {
      if (seen.has(name)) throw twice(file, name)
      if (name !== '') seen.add(name)
      others.push({ name: name === '' ? nameOfUnnamed(position, names) : name, position })
    }
    if (column < 0) continue
    if (positions[column] !== -1) throw twice(file, columns[column]?.name ?? name)
    positions[column] = position
  }
  const substitute = substituteFinder(columns)
  for (const [at, { name, position }] of [...others.entries()].reverse()) {
    const column = substitute(name)
    if (column < 0 || positions[column] !== -1) continue
    positions[column] = position
    others.splice(at, 1)
  }
  const missing = columns.filter((column, i) => column.required && positions[i] === -1).map(({ name }) => name)
  if (missing.length > 0) {
    throw usage(
      `${file} has no column ${missing.join(', ')}; the columns of its first line are: ${shortened(cells.map(nameOrDots).join(', '), 300)}`,
      `Add the missing columns. bnpl reads these columns: ${columns.map(shown).join(', ')}`,
      'MISSING_COLUMN',
    )
  }
  const doubtful = columns.flatMap(({ name: meant, alike = [] }, i) =>
    positions[i] === -1
      ? others.filter(({ name }) => alike.includes(plain(name))).map(({ name }) => ({ name, meant }))
      : [],
  )
  const leftOut = cells.filter((cell) => find(cell.trim()) === LEFT_OUT).map(nameOrDots)
  return { positions, others, leftOut, doubtful }
}

const shown = ({ name, also = [], orElse = [], required }: InputColumn) => {
  const more = [...also, ...orElse]
  const names = more.length === 0 ? name : `${name} (or ${more.join(', ')})`
  return required ? names : `[${names}]`
}

function nameOfUnnamed(position: number, taken: ReadonlySet<string>): string {
  let name = `column${position + 1}`
  while (taken.has(name)) name += '-'
  return name
}

/**
 * Returns dots for a cell that does not look like the name of a column. If a file has no header line, its first line can contain a national
 * id or an address. The first line of a wrong file can even contain a key.
 */
export const nameOrDots = (cell: string) => (/^\p{L}[^\d@]{0,39}\d{0,2}$/u.test(cell.trim()) ? cell.trim() : '•••')

const twice = (file: string, name: string) =>
  usage(
    `${file} has the column ${nameOrDots(name)} more than once`,
    'Keep only one of these columns. Nothing was sent.',
    'DUPLICATE_COLUMN',
  )
