import { isRecord } from '../../contract/reading.ts'

/** An object without the properties that are empty lists or objects. */
export function filled<T extends object>(object: T): Partial<T> {
  const made: Partial<T> = { ...object }
  for (const key in made) {
    const value = made[key]
    const isEmpty = Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
    if (isEmpty) delete made[key]
  }
  return made
}
