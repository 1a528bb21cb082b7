import { looksLikeEmail, looksLikeUuid } from '../../domain/identifiers.ts'
import type { Format } from '../calls/call.ts'
import { INTEGRATIONS } from '../integrations.ts'
import { kindSeen } from './words.ts'

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
