import { ENDPOINTS } from './endpoints.ts'
import { RESOURCES } from './resources.ts'
import { RULES } from './rules.ts'
import type { Sentence } from './sentence.ts'

/** Every sentence of the specification that says what must be, by the section that it is in, in order. */
export const SECTIONS: Readonly<Record<string, readonly Sentence[]>> = { ...RESOURCES, ...ENDPOINTS, ...RULES }
