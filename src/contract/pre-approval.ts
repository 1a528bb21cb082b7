import { presentPreApproveId } from '../domain/identifiers.ts'

/**
 * The pre-approval id of an evaluation's `data` (gap 1: its field is not shown). Looks for `preApproveId`, `idPreAprobacion`,
 * then the field the profile names. @returns the id, or null with the names of the fields that were seen
 */
export function findPreApproveId(
  data: Record<string, unknown>,
  profileField?: string,
): { preApproveId: string } | { preApproveId: null; seen: string[] } {
  for (const name of ['preApproveId', 'idPreAprobacion', ...(profileField === undefined ? [] : [profileField])]) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    const id = presentPreApproveId(typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
    if (id !== undefined) return { preApproveId: id }
  }
  return { preApproveId: null, seen: Object.keys(data) }
}
