import type * as z from 'zod/mini'

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
    return value === undefined ? 'missing' : `${kindOf(value)}, not ${EXPECTED[issue.expected] ?? issue.expected}`
  if (issue.code === 'unrecognized_keys')
    return `${kindOf(value)} with fields that are not known here: ${issue.keys.join(', ')}`
  return issue.message === 'Invalid input' ? `${kindOf(value)}, not in the expected form` : issue.message
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction'
  return EXPECTED[typeof value] ?? 'nothing'
}

/** Returns the value at a path inside another value; undefined when there is none. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = data
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
  return value
}
