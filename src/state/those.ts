/**
 * The condition that some columns have the values asked for; a column whose value is undefined may have any. Only what is asked for is
 * in it, so that the database takes the index that fits.
 */
export function those(wanted: Record<string, string | undefined>): { where: string; values: string[] } {
  const asked = Object.entries(wanted).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  return {
    where: asked.length === 0 ? '' : `WHERE ${asked.map(({ column }) => `${column} = ?`).join(' AND ')}`,
    values: asked.map(({ value }) => value),
  }
}
