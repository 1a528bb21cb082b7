import type { Catalogue } from '../patterns.ts'

export const domain: Catalogue = {}
