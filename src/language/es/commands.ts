import type { Catalogue } from '../patterns.ts'

export const commands: Catalogue = {}
