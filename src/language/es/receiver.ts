import type { Catalogue } from '../patterns.ts'

export const receiver: Catalogue = {}
