import type { Catalogue } from '../patterns.ts'

export const torture: Catalogue = {}
