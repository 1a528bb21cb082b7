import type { Catalogue } from '../patterns.ts'

export const sandbox: Catalogue = {}
