import type { Catalogue } from '../patterns.ts'

export const bulk: Catalogue = {}
