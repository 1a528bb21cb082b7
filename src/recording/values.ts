import { looksLikeEmail, looksLikeUuid } from '../domain/identifiers.ts'
import { isCode } from './code-words.ts'
import { type FieldKind, kindOfField } from './field-kinds.ts'
import { isValidRut } from './people.ts'
import { SECRET_MARK } from './secrets.ts'
import type { StandIns } from './stand-ins.ts'
import { hidesStructure, LONGEST, type TextCleaner } from './text-cleaner.ts'
import { isFieldOfService, isServiceWord } from './vocabulary.ts'

export interface Sanitising {
  cleaner: TextCleaner
  standIns: StandIns
  /** The present time, in ms since 1970. A date near it is a date of a transaction, and not a date of birth. */
  now: number
  /**
   * Whether the user wants to keep the field at this place, although its content is unknown. The user gives the name of the field, or the
   * place, such as `data.resultado`.
   */
  keeps(place: string): boolean
  leftOut(place: string): void
  /** Returns a URL without secrets and personal data; undefined if the text is not a URL. */
  url(text: string): string | undefined
}

const ID = /^[\w.:@%+~=/|-]{1,256}$/
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}:?\d{2}))?)?$/
const COMPACT_MOMENT = /^(\d{4})\d{4}T\d{6}Z$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} (\d{4}) \d{2}:\d{2}:\d{2} GMT$/
const OTHER_DATE = /^(\d{2}[/.-]\d{2}[/.-]\d{4})$/
const DATE_INSIDE = /(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{2}[/.-]\d{2}[/.-]\d{4})(?!\d)/g
const NUMBER = /^-?\d+([.,]\d+)?$/
/** A number with at most this many digits is kept, because national ids, telephones and account numbers are longer. */
const FEW_DIGITS = 6

/**
 * Replaces secrets and personal data in the text of a field.
 * @param name the name of the field
 * @param place the name under which the recording lists the field if its value is left out, such as `data.resultado`
 */
export function sanitiseText(text: string, name: string, place: string, s: Sanitising): string {
  if (text === '' || text === SECRET_MARK) return text
  const known = byKind(text, kindOfField(name), isServiceWord(name), s)
  if (known !== undefined) return known
  if (s.keeps(place) && text.length <= LONGEST)
    return s.cleaner.clean(text).replace(DATE_INSIDE, (date) => byForm(date, s) ?? date)
  const formed = byForm(text, s)
  if (formed !== undefined && formed !== text && /^-?\d+$/.test(text)) s.leftOut(place)
  return formed ?? unclassified(text, place, s)
}

function byKind(
  text: string,
  kind: FieldKind,
  isOfContract: boolean,
  { cleaner, standIns, now, url }: Sanitising,
): string | undefined {
  switch (kind) {
    case 'secret':
      return SECRET_MARK
    case 'rut':
      return text.includes('@') ? standIns.email(text) : /\p{N}/u.test(text) ? standIns.rut(text) : standIns.words(text)
    case 'email':
      return looksLikeEmail(text.trim()) ? standIns.email(text) : standIns.words(text)
    case 'digits':
      return /\p{L}/u.test(text) ? standIns.opaque(text) : standIns.digits(text)
    case 'words':
      return text.includes('@') ? standIns.email(text) : standIns.words(text)
    case 'birth':
      return standIns.date(text)
    case 'id':
      if (!ID.test(text)) return undefined
      // An id without a digit may be a name.
      if (!/\d/.test(text)) return wordOr(text, standIns.opaque)
      if (looksLikeUuid(text)) return cleaner.clean(text)
      return hidesStructure(text) || (!isOfContract && mayHoldName(text)) ? standIns.opaque(text) : cleaner.clean(text)
    case 'person':
      if (text.includes('@')) return standIns.email(text)
      if (looksLikeUuid(text)) return cleaner.clean(text)
      return /\d/.test(text) ? standIns.opaque(text) : standIns.words(text)
    case 'code':
      return isCode(text) ? keptWord(text, cleaner) : undefined
    case 'url':
      return url(text)
    case 'number':
      return NUMBER.test(text) ? cleaner.clean(text) : undefined
    case 'moment':
      return isStamp(text, now) ? text : undefined
    case 'flag':
    case 'unknown':
      return undefined
  }
}

const wordOr = (text: string, otherwise: (text: string) => string) => (isServiceWord(text) ? text : otherwise(text))

/** Whether an id contains a word that is neither a known code nor hexadecimal, such as `maria`, which may be a person's name. */
const mayHoldName = (id: string): boolean =>
  id.match(/[A-Za-z]{4,}/g)?.some((word) => !/^[a-f]+$/i.test(word) && !isCode(word)) ?? false

/**
 * Returns a word of the contract unchanged, except an `ERR_` code, because a code may contain a name. In every other text, replaces secrets
 * and names of people.
 */
const keptWord = (text: string, cleaner: TextCleaner) =>
  isServiceWord(text) && !text.startsWith('ERR_') ? text : cleaner.cleanName(text)

function byForm(text: string, { cleaner, standIns, now, url }: Sanitising): string | undefined {
  if (isServiceWord(text)) return keptWord(text, cleaner)
  if (/^(true|false|null)$/i.test(text)) return text
  if (looksLikeUuid(text)) return cleaner.clean(text)
  const year = (MOMENT.exec(text) ?? COMPACT_MOMENT.exec(text) ?? HTTP_DATE.exec(text))?.[1]
  if (year !== undefined) return isBusinessYear(Number(year), now) ? text : standIns.date(text)
  if (OTHER_DATE.test(text)) return isBusinessYear(Number(text.slice(-4)), now) ? text : standIns.date(text)
  if (/^-?\d+$/.test(text)) return sanitiseDigits(text, standIns)
  if (isCoordinate(text)) return undefined
  if (/^-?\d{1,9}[.,]\d{1,18}$/.test(text)) return text
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return url(text)
  if (looksLikeEmail(text)) return standIns.email(text)
  const clean = cleaner.clean(text)
  if (/^[\d.,]+\s?[-–]\s?[\dkK]$/.test(text)) return clean === text ? undefined : clean
  return /^\+?[\d\s().-]{8,20}$/.test(text) ? (clean === text ? standIns.digits(text) : clean) : undefined
}

/** Replaces a number of unknown meaning if it has more than `FEW_DIGITS` digits, because it may identify a person. */
export function sanitiseDigits(text: string, standIns: StandIns): string {
  const digits = text.replace('-', '')
  if (digits.length <= FEW_DIGITS) return text
  const made = /^\d{8,9}$/.test(text) && isValidRut(text) ? standIns.rut(text) : standIns.digits(digits)
  return text.startsWith('-') ? `-${made}` : made
}

/** Whether a number may be a latitude or a longitude, which show where a person is. */
export const isCoordinate = (text: string): boolean => /^-?(?:[1-9]\d?|1[0-7]\d)[.,]\d{4,}$/.test(text)

/** Whether digits are the time of a recent transaction, in seconds or milliseconds since 1970. */
export function isStamp(text: string, now: number): boolean {
  const at = /^\d{10}$/.test(text) ? Number(text) * 1000 : /^\d{13}$/.test(text) ? Number(text) : undefined
  return at !== undefined && Math.abs(at - now) < MOST_AWAY_MS
}

const MOST_AWAY_MS = 370 * 24 * 3600_000

/** Whether a year can belong to a transaction, but not to a customer's birth: nobody under ten years of age pays in installments. */
const isBusinessYear = (year: number, now: number) => {
  const today = new Date(now).getUTCFullYear()
  return year > today - 10 && year < today + 60
}

/**
 * Replaces a text of unknown meaning, because it may identify a person. A word with letters and digits, such as `x7k2`, gets other
 * characters. A known secret becomes `SECRET_MARK`. Of any other text, only the approximate size is kept.
 */
function unclassified(text: string, place: string, { standIns, leftOut, cleaner }: Sanitising): string {
  if (cleaner.secrets.mark(text) === SECRET_MARK) return SECRET_MARK
  leftOut(place)
  return isOpaque(text) ? standIns.opaque(text) : sizeMark(text.length)
}

const isOpaque = (text: string) => /^[\x21-\x7e]{4,128}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)

/** Returns a mark that shows only the approximate size of a text: `(text-32)` means 17 to 32 characters. */
export const sizeMark = (length: number): string => `(text-${2 ** Math.ceil(Math.log2(Math.max(length, 1)))})`

/** Whether a text is a mark that replaced another text. */
export const isMark = (text: string): boolean => text === SECRET_MARK || /^\(text-\d+\)$/.test(text)

const FIELD_NAME = /^[\p{L}_$@][\p{L}\d_$.:[\]@-]{0,63}$/u

const isTokenLike = (word: string) => word.length > 40 || (word.length > 16 && /\d/.test(word))

/**
 * Replaces secrets and names of people in the name of a field.
 * @param cleaned replaces the secrets and the names of people in a text
 */
export function sanitiseName(name: string, s: Sanitising, cleaned = s.cleaner.cleanName): string {
  if (isFieldOfService(name)) return name
  const clean = cleaned(name)
  if (clean !== name) return /\s/.test(clean) ? sizeMark(name.length) : clean
  if (FIELD_NAME.test(name) && !name.split(/[^\p{L}\d]+/u).some(isTokenLike)) return name
  return byForm(name, s) ?? sizeMark(name.length)
}
