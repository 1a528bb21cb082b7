import { ENDPOINTS } from './endpoints.ts'
import { RESOURCES } from './resources.ts'
import { RULES } from './rules.ts'
import type { Sentence } from './sentence.ts'

/** Every sentence of the specification that contains a requirement, by its section, in order. */
export const SECTIONS: Readonly<Record<string, readonly Sentence[]>> = { ...RESOURCES, ...ENDPOINTS, ...RULES }
