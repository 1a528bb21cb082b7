import { visible } from '../text/visible.ts'
import { type Column, renderTable, type TableOptions } from './table.ts'
import { measureFor, wrap } from './wrap.ts'

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
  let isCut = false
  let isTooNarrow = false
  const watched = (column: Column<Row>): Column<Row> => ({
    ...column,
    look(text, row) {
      isTooNarrow ||= text !== visible(column.value(row))
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
  return [head, `  ${options.bold(visible(whole.title))}`, ...lines.flatMap((line, i) => [line, below[i]])].join('\n')
}
