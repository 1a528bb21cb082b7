import type * as z from 'zod/mini'
import { isRawNumber } from '../text/json-text.ts'

export const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Returns what is wrong with a field, in words that never contain its value, because the value may be personal data. */
export function mismatch(issue: z.core.$ZodIssue, data: unknown): string {
  const value = valueAt(data, issue.path)
  if (issue.code === 'invalid_type')
    return value === undefined ? 'missing' : `${kindOf(value)}, not ${wanted(issue.expected, value)}`
  if (issue.code === 'unrecognized_keys')
    return `${kindOf(value)} with fields that bnpl does not know at this place: ${issue.keys.join(', ')}`
  if (issue.message !== 'Invalid input') return issue.message
  return value === undefined ? 'missing' : `${kindOf(value)}, which is not the expected form`
}

/** Returns `mismatch` as a clause whose subject is “it”, which stands for the field. */
export function mismatchClause(issue: z.core.$ZodIssue, data: unknown): string {
  const problem = mismatch(issue, data)
  return problem.startsWith('it ') ? problem : `it is ${problem}`
}

/** Returns what a schema expects, in words. If the value is infinite, returns “a finite number”, because Infinity is a number too. */
function wanted(expected: string, value: unknown): string {
  if (expected === 'number' && (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY))
    return 'a finite number'
  return EXPECTED[expected] ?? expected
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isRawNumber(value)) return 'a number with more digits than a program can count with'
  if (typeof value === 'number') return numberKindOf(value)
  return EXPECTED[typeof value] ?? OF_PROGRAMS[typeof value] ?? 'nothing'
}

function numberKindOf(value: number): string {
  if (Number.isInteger(value)) return 'a number'
  return Number.isFinite(value) ? 'a fraction' : String(value)
}

/** Words for types of values that a program can pass to the library, but that JSON cannot contain. */
const OF_PROGRAMS: Readonly<Record<string, string>> = { bigint: 'a BigInt', symbol: 'a symbol', function: 'a function' }

/** Returns the value at a path inside another value; undefined when there is none. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = data
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
  return value
}
