import type { Catalogue } from '../patterns.ts'

export const webhooks: Catalogue = {}
