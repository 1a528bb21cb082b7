import type { Catalogue } from '../patterns.ts'

export const profiles: Catalogue = {}
