import { ENGLISH } from '../language/language.ts'
import type { Words } from '../language/patterns.ts'
import { visible } from '../text/visible.ts'
import type { Output } from './output.ts'
import { brokenLines, fitting, LEAST_ROOM, measureFor, wrap, wrapWords } from './wrap.ts'

export interface Column<Row> {
  title: string
  value: (row: Row) => string
  /** Whether the cells are texts of bnpl, which are translated. Otherwise they are data, such as ids and names, and are shown as they are. */
  isText?: boolean
  align?: 'left' | 'right'
  /**
   * How the column gets narrower when the terminal is too narrow: its texts are cut at the end, at the beginning (for addresses, whose ends
   * differ), in the middle (for ids, which have equal beginnings), or wrapped over several lines.
   */
  shrinks?: boolean | 'start' | 'middle' | 'wraps'
  /** Returns the text of a cell with its style. `text` is already free of control characters, and fits the column. */
  look?: (text: string, row: Row) => string
}

interface TableOptions {
  /** The width of the terminal, in columns. */
  width: number
  bold: (text: string) => string
  inLanguage?: Words
  /** Called once if a text does not fit and is cut. */
  onCut?: () => void
}

/** Returns the options of a table for stdout. If a text of the table is cut, a note says how to print the whole texts. */
export const tableOn = ({
  width,
  style,
  inLanguage,
  note,
}: Pick<Output, 'width' | 'style' | 'inLanguage' | 'note'>): TableOptions => ({
  width,
  inLanguage,
  bold: style.bold,
  onCut: () => note('Texts with … are cut; --json prints the whole texts.'),
})

/** Returns rows as a table of at most `width` columns. Control characters in titles and cells are made visible. */
export async function renderTable<Row>(
  rows: readonly Row[],
  given: readonly Column<Row>[],
  options: TableOptions,
): Promise<string> {
  const { inLanguage = ENGLISH } = options
  const columns = given.map((column) => ({ ...column, title: inLanguage(visible(bounded(column.title))) }))
  const cells = rows.map((row) => columns.map((column) => textIn(column, row, inLanguage)))
  const measure = await measureFor([...columns.map(({ title }) => title), ...cells.flat()])
  const widths = columns.map((column, i) =>
    cells.reduce((widest, line) => Math.max(widest, measure(line[i] ?? '')), measure(column.title)),
  )
  const titles = columns.map(({ title }) => measure(title))
  fit(widths, titles, columns, options.width - 2 * (columns.length - 1))
  const cellOf = (text: string, i: number) => clipOf(columns[i]?.shrinks)(text, widths[i] ?? 0, measure)
  const fitted = (texts: string[], i: number, look: (text: string) => string): Line[] =>
    texts.map((text) => cellOf(text, i)).map((text) => ({ text: look(text), width: measure(text) }))
  let isCut = false
  const head = columns.map(({ title }, i) => fitted([title], i, options.bold))
  const body = rows.map((row, r) =>
    columns.map(({ shrinks, look }, i) => {
      const text = cells[r]?.[i] ?? ''
      const lines = shrinks === 'wraps' ? brokenLines(text, widths[i] ?? 0, measure) : [text]
      isCut ||= lines.some((line) => cellOf(line, i) !== line)
      return fitted(lines, i, (line) => (look ? look(line, row) : line))
    }),
  )
  if (isCut) options.onCut?.()
  const all = [head, ...body]
  const aligns = columns.map(({ align }) => align ?? 'left')
  const drawn: string[] = []
  for (let i = 0; i < all.length; i += ROWS_AT_ONCE)
    drawn.push(await draw(all.slice(i, i + ROWS_AT_ONCE), widths, aligns))
  return inLanguage.keep(drawn.join('\n'))
}

/** Returns the text of a cell: in the language of the user, if it is a text of bnpl. */
function textIn<Row>({ value, isText }: Column<Row>, row: Row, inLanguage: Words): string {
  const text = visible(bounded(value(row)))
  return isText ? inLanguage(text) : text
}

/** The time that cli-table3 needs grows with the square of the number of rows, so a long table is drawn in parts. */
const ROWS_AT_ONCE = 500

interface Line {
  text: string
  width: number
}

/** Placeholders consist of this character, because every library counts it as one column. */
const STAND_IN = '#'

/**
 * Draws the table with placeholders of the right width, and then replaces the placeholders by the texts. cli-table3 would measure the texts
 * with an older library, which is wrong for some writing systems.
 */
async function draw(
  rows: readonly (readonly Line[][])[],
  widths: readonly number[],
  aligns: readonly ('left' | 'right')[],
): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    chars: BARE,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: [...aligns],
  })
  const texts: string[] = []
  for (const cells of rows) {
    table.push(cells.map((lines) => lines.map(({ width }) => STAND_IN.repeat(width)).join('\n')))
    const height = Math.max(0, ...cells.map((lines) => lines.length))
    // Store the texts in the order in which the table contains their placeholders. A text of width 0 has no placeholder.
    for (let i = 0; i < height; i++) {
      const shown = cells.flatMap((lines) => lines[i] ?? []).filter(({ width }) => width > 0)
      texts.push(...shown.map(({ text }) => text))
    }
  }
  let next = 0
  return table
    .toString()
    .replace(new RegExp(`${STAND_IN}+`, 'g'), () => texts[next++] ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** A name and its value, which are texts of bnpl and are translated, except a value that is data, and both of a field that was sent. */
export type Field = readonly [name: string, value: string, kind?: 'data' | 'sent']

/**
 * Returns a table of names and values for one object. A value that is too wide is wrapped, but never inside a command or a word that users
 * copy. If such a command or word does not fit beside the name, the value starts on the line below.
 */
export async function renderFields(
  fields: readonly Field[],
  { width, style, inLanguage = ENGLISH }: { width: number; style: { dim(text: string): string }; inLanguage?: Words },
): Promise<string> {
  const shown = fields.map(
    ([name, value, kind]) =>
      [
        kind === 'sent' ? visible(name) : inLanguage(visible(name)),
        kind === undefined ? inLanguage(visible(value)) : visible(value),
      ] as const,
  )
  const measure = await measureFor(shown.flat())
  const names = Math.max(0, ...shown.map(([name]) => measure(name)))
  const room = width - names - 2
  const indent = ' '.repeat(names + 2)
  const lines = shown.map(([name, value]) => {
    const fits = (text: string, columns: number) =>
      text.split('\n').every((line) => measure(line.trimStart()) <= columns)
    const beside = wrapWords(value, room, indent, measure)
    const isTooWide = room < LEAST_ROOM ? measure(value) > room : !fits(beside, room)
    if (isTooWide) {
      const below = wrapWords(value, width - 2, '  ', measure)
      if (room < LEAST_ROOM || fits(below, width - 2)) return `${style.dim(name)}\n  ${below}`
    }
    return `${style.dim(name)}${' '.repeat(names - measure(name) + 2)}${beside}`
  })
  return inLanguage.keep(lines.join('\n'))
}

/** The maximum length of a cell, in characters. Longer texts are slow to measure and useless in a table. */
const CELL_CHARACTERS = 1000

const bounded = (text: string) =>
  text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…` : text

const BARE: Record<string, string> = Object.fromEntries(
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
)
BARE.middle = '  '

/**
 * Shrinks the widest columns until the table fits: first the columns with `shrinks`, then the others. If the table is
 * still too wide, columns become narrower than their titles.
 */
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

const clipOf = (shrinks: Column<never>['shrinks']) =>
  shrinks === 'middle' ? clipMiddle : shrinks === 'start' ? clipStart : clip

function clipStart(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width || text.length !== measure(text)) return clip(text, width, measure)
  return `…${text.slice(text.length - width + 1)}`
}

function clipMiddle(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width || text.length !== measure(text)) return clip(text, width, measure)
  const tail = Math.ceil((width - 1) / 2)
  return `${text.slice(0, width - 1 - tail)}…${text.slice(-tail)}`
}

/** Returns a text whose end is replaced with `…` if the text does not fit. */
export function clip(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  const cut = `${fitting(text, width - 1, measure)}…`
  // A Chinese character, for example, takes two columns, so even a text of one character may be too wide.
  return measure(cut) <= width ? cut : '…'
}

/**
 * Returns rows as a table in which one column is never cut, because its texts are copied: ids, addresses, settings. If
 * one of these texts does not fit, or only fits if a column that does not shrink is cut, every text is written below its
 * row, and the title of the column below the other titles.
 * @param whole the column, and its place among the others
 */
export async function renderWithWhole<Row>(
  rows: readonly Row[],
  others: readonly Column<Row>[],
  whole: Column<Row> & { at: number },
  options: TableOptions,
): Promise<string> {
  const { inLanguage = ENGLISH } = options
  let isCut = false
  let isTooNarrow = false
  const watched = (column: Column<Row>): Column<Row> => ({
    ...column,
    look(text, row) {
      isTooNarrow ||= text !== textIn(column, row, inLanguage)
      return column.look?.(text, row) ?? text
    },
  })
  const columns = others
    .map((column) => (column.shrinks ? column : watched(column)))
    .toSpliced(whole.at, 0, watched({ ...whole, shrinks: false }))
  const beside = await renderTable(rows, columns, { ...options, onCut: () => (isCut = true) })
  if (!isTooNarrow) {
    if (isCut) options.onCut?.()
    return beside
  }
  const texts = rows.map((row) => visible(whole.value(row)))
  const [head, ...lines] = (await renderTable(rows, others, options)).split('\n')
  const measure = await measureFor(texts)
  const below = texts.map((text) => `  ${wrap(text, options.width - 2, '  ', measure)}`)
  return [
    head,
    `  ${options.bold(inLanguage(visible(whole.title)))}`,
    ...lines.flatMap((line, i) => [line, below[i]]),
  ].join('\n')
}
