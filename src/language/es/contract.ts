import type { Catalogue } from '../patterns.ts'

export const contract: Catalogue = {}
