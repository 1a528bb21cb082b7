import type * as z from 'zod/mini'
import { looksLikeEmail, looksLikeUuid } from '../../domain/identifiers.ts'
import type { Format } from '../calls/call.ts'
import { INTEGRATIONS } from '../integrations.ts'
import { EXPECTED } from './data.ts'
import type { Difference, PlainBody } from './exchange.ts'

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

/** Returns what a body is, in words that contain nothing of it. */
export function bodyKind(body: PlainBody | undefined): string {
  if (body === undefined) return 'nothing'
  if ('json' in body) return 'JSON'
  if ('form' in body) return 'a form'
  if ('text' in body) return /^\s*</.test(body.text) ? 'a page' : 'text'
  return {
    pdf: 'a PDF',
    'broken-json': 'broken JSON',
    text: 'text',
    binary: 'bytes',
    'too-large': 'a large body',
    undecodable: 'bytes',
  }[body.omitted]
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

interface FormatRule {
  expected: string
  /** Returns what is wrong with a value; undefined if it is valid. `beside` contains the other fields of the same record. */
  wrong(value: unknown, beside: Readonly<Record<string, unknown>>): string | undefined
}

const EVENTS: readonly string[] = INTEGRATIONS['real-estate'].events
const ALL_EVENTS: readonly string[] = Object.values(INTEGRATIONS).flatMap(({ events }) => [...events])

/**
 * Whether a text has the form of a national id. The check digit is not checked, because the specification does not say whether the service
 * checks it (gap 24).
 */
const isNationalId = (text: string) => /^\d{1,9}-[\dKk]$/.test(text)

const addressIn = (text: unknown) => (typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined)

const ofText = (isRight: (text: string) => boolean) => (value: unknown) =>
  typeof value === 'string' && isRight(value) ? undefined : kindSeen(value)

export const FORMATS: Readonly<Record<Format, FormatRule>> = {
  'national-id': {
    expected: 'a national id: digits, a dash and the check character, such as 12345678-5',
    wrong: ofText(isNationalId),
  },
  email: { expected: 'an e-mail address', wrong: ofText(looksLikeEmail) },
  uuid: { expected: 'a UUID', wrong: ofText(looksLikeUuid) },
  https: {
    expected: 'an https address',
    wrong(value) {
      const address = addressIn(value)
      if (address?.protocol === 'https:') return undefined
      return address?.protocol === 'http:' ? 'an http address' : kindSeen(value)
    },
  },
  link: {
    expected: 'an absolute address',
    wrong: (value) => (/^https?:$/.test(addressIn(value)?.protocol ?? '') ? undefined : kindSeen(value)),
  },
  fraction: {
    expected: 'a decimal fraction, such as 0.0189',
    wrong(value) {
      if (typeof value !== 'number' || Math.abs(value) < 1) return undefined
      return value > 0 ? 'a number of 1 or more' : 'a number of -1 or less'
    },
  },
  events: {
    expected: EVENTS.join(' or '),
    wrong(value) {
      const unknown = wordsIn(value).find((word) => !EVENTS.includes(word))
      if (unknown === undefined) return undefined
      return ALL_EVENTS.includes(unknown) ? unknown : 'another word'
    },
  },
  'one-each-period': {
    expected: 'one element for each period, in order, with the periods numbered from 1',
    wrong(value, { periods }) {
      if (!Array.isArray(value) || typeof periods !== 'number') return undefined
      if (value.length !== periods) return `a list of length ${value.length} for ${periods} periods`
      return value.every((each, i) => Object(each).period === i + 1)
        ? undefined
        : 'periods in another order or with other numbers'
    },
  },
}

/** Returns the words of a list in any encoding, because the specification does not show the encoding (gap 27). */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[\s,"[\]]+/).filter(Boolean)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : []
}
