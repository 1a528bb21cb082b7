import type { Catalogue } from '../patterns.ts'

export const disk: Catalogue = {}
