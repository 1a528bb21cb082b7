import { isRutName } from '../text/field-names.ts'

/** Whether a column of this name is left out of the results, because it contains national ids. */
export const isNationalId: (name: string) => boolean = isRutName

/**
 * Returns a cell of NDJSON without the fields inside it that contain a national id.
 * @param column the column of the cell
 * @param leftOut called with the name of each such field, such as `customer.rut`
 */
export function withoutNationalIds(cell: unknown, column: string, leftOut: (name: string) => void): unknown {
  if (typeof cell !== 'object' || cell === null || JSON.isRawJSON(cell)) return cell
  if (Array.isArray(cell)) return cell.map((each: unknown) => withoutNationalIds(each, column, leftOut))
  const kept = Object.entries(cell).flatMap(([name, value]): [string, unknown][] => {
    const path = `${column}.${name}`
    if (!isNationalId(name)) return [[name, withoutNationalIds(value, path, leftOut)]]
    leftOut(path)
    return []
  })
  return Object.fromEntries(kept)
}
