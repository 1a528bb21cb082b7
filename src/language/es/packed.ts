import { type PackedCatalogue, packed } from '../packing.ts'
import { es } from './es.ts'

let made: PackedCatalogue | undefined

/**
 * Returns the Spanish texts as the program reads them, packed on the first call. In the built program this module reads the files that the
 * build packed.
 */
export const catalogue = (): PackedCatalogue => {
  made ??= packed(es)
  return made
}
