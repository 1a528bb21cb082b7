import type { Catalogue } from '../patterns.ts'

export const client: Catalogue = {}
