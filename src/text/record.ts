import { isRawNumber } from './json-text.ts'

/** Whether a value is an object, and neither a list nor a number that JavaScript cannot hold. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
