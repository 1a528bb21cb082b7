/**
 * How many empty cells every row has behind those that the first line names, as programs write them that end each row with a separator.
 * One row alone says nothing: with a comma too many in an amount and nothing in its last column it looks the same.
 * @param first the first two rows @param named cells of the first line
 * @returns 0 unless both agree
 */
export function spareCells(first: readonly (readonly string[])[], named: number): number {
  const [a, b] = first
  if (a === undefined || b === undefined || a.length !== b.length || a.length <= named) return 0
  return isSpare(a, named) && isSpare(b, named) ? a.length - named : 0
}

/**
 * Whether nothing of a row stands behind the named cells for another reason: no cell is filled there, and none before is half a number
 * (`1,000`).
 */
export function isSpare(cells: readonly string[], named: number): boolean {
  return cells.slice(named).every((cell) => cell.trim() === '') && !cells.some(isHalf)
}

/** A thousands separator that cut an amount into two cells would else move every cell behind it, unseen. */
const isHalf = (cell: string, i: number, cells: readonly string[]) =>
  /^\s*\d{1,3}$/.test(cell) && /^\d{3}\s*$/.test(cells[i + 1] ?? '')
