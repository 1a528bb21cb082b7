import { packed } from '../packing.ts'
import { es } from './es.ts'

/** Returns the Spanish texts as the program reads them. In the built program this module reads the files that the build packed. */
export const catalogue = () => packed(es)
