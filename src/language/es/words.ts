import { type PackedCatalogue, packed } from '../packing.ts'
import { inCatalogue } from '../patterns.ts'
import { es } from './es.ts'

let catalogue: PackedCatalogue | undefined

/** Returns the Spanish words. In the built program this module reads the file that the build packed; otherwise it packs it once. */
export function words() {
  catalogue ??= packed(es)
  return inCatalogue(catalogue, 'es')
}
