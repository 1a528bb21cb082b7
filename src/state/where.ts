/**
 * The WHERE clause for columns that must have the given values. A column whose value is undefined is left out, so that the database
 * uses the index that fits; without any value the clause is empty.
 */
export function whereEqual(wanted: Record<string, string | undefined>): { where: string; values: string[] } {
  const asked = Object.entries(wanted).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  return {
    where: asked.length === 0 ? '' : `WHERE ${asked.map(({ column }) => `${column} = ?`).join(' AND ')}`,
    values: asked.map(({ value }) => value),
  }
}
