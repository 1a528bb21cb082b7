import type { Catalogue } from '../patterns.ts'

export const terminal: Catalogue = {}
