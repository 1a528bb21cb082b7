import type * as z from 'zod/mini'
import { EXPECTED } from '../mismatch.ts'
import type { Difference } from './exchange.ts'

/** Matches a name that a program gives to a field. Any other text may be personal data, which a difference must never contain. */
const NAME = /^[A-Za-z_$][\w$-]{0,59}$/
const LONG_NUMBER = /\d{5}/

/** Returns the name of a field. A name that may be personal data is replaced by its length. */
export function shownName(name: string): string {
  return NAME.test(name) && !LONG_NUMBER.test(name) ? name : `(a name of ${name.length} characters)`
}

/** Returns a path inside a body, such as `installments[].state`. Names that may be personal data are not shown. */
export function shownPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : `.${shownName(String(key))}`))
    .join('')
    .replace(/^\./, '')
}

/** Matches a number or a date. Its digits are shown as zeros, which is enough to see how it was written. */
const DIGITS = /^[-+$ ]{0,2}\d[\d.,:/+\sTZKk-]{0,31}$/

const NO_VALUE = new Set(['undefined', 'null', 'NaN', '[object Object]', 'None', 'nil', 'true', 'false'])

/** Whether a text is a word such as `undefined` or `None`, which a program sends by mistake when it has no value. */
export const isNoValue = (value: unknown): value is string => typeof value === 'string' && NO_VALUE.has(value)

/**
 * Returns a description of a value: its type, its length, or how its digits are written. The description contains the value itself only if
 * the value is a boolean or a word such as `null`.
 */
export function kindSeen(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'a number'
    return `a ${value < 0 ? 'negative ' : ''}${Number.isInteger(value) ? 'whole number' : 'number with decimals'}`
  }
  if (Array.isArray(value)) return `a list of length ${value.length}`
  if (typeof value === 'object') return JSON.isRawJSON(value) ? 'a whole number of more than 15 digits' : 'an object'
  return typeof value === 'string' ? textKind(value) : typeof value
}

function textKind(value: string): string {
  if (value === '') return 'an empty text'
  if (NO_VALUE.has(value)) return `the word ${value}`
  if (/^\d+$/.test(value)) return `a text of ${value.length} digits`
  if (DIGITS.test(value)) return `a text such as ${value.replace(/\d/g, '0')}`
  return value.trim() === value ? `a text of ${value.length} characters` : 'a text with space around it'
}

/** Returns what the schema expects at the place of an issue, in words. */
export function wantedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return EXPECTED[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_union') return 'text or a number'
  const said = /^it (?:must be|is not) (.+)$/.exec(issue.message)?.[1]
  return said ?? (issue.message === 'it is empty' ? 'a text that is not empty' : 'a value as specified')
}

/** Returns a collector that stores each difference only once, and at most `MOST` differences. */
export function collector(): { problems: Difference[]; add(where: string, expected: string, seen: string): void } {
  const problems: Difference[] = []
  return {
    problems,
    add(where, expected, seen) {
      const isKnown = problems.some((each) => each.where === where && each.seen === seen && each.expected === expected)
      if (!isKnown && problems.length < MOST) problems.push({ where, expected, seen })
    },
  }
}

const MOST = 50
