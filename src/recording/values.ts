import type { FieldKind } from '../contract/fields.ts'
import { looksLikeEmail, looksLikeUuid, rutCheckCharacter } from '../domain/identifiers.ts'
import { maskWords } from '../text/masking.ts'
import { isServiceWord, kindOfField } from './field-kinds.ts'
import { SECRET_MARK, type SecretFinder } from './secrets.ts'
import type { Names, StandIns } from './stand-ins.ts'

export interface Sanitising {
  secrets: SecretFinder
  names: Names
  standIns: StandIns
  /** The present time, in ms since 1970. A date near it is a date of a transaction, and not a date of birth. */
  now: number
  /** Whether a word is a state or a step of the described service. */
  isCode(text: string): boolean
  /**
   * Whether the user wants to keep the field at this place, although its content is unknown. The user gives the name of the field, or the
   * place, such as `data.resultado`.
   */
  keeps(place: string): boolean
  leftOut(place: string): void
  /** Returns a URL without secrets and personal data; undefined if the text is not a URL. */
  url(text: string): string | undefined
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}:?\d{2}))?)?$/
const COMPACT_MOMENT = /^(\d{4})\d{4}T\d{6}Z$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} (\d{4}) \d{2}:\d{2}:\d{2} GMT$/
const OTHER_DATE = /^(\d{2}[/.-]\d{2}[/.-]\d{4})$/
const RUT = /^0{0,4}[\d.]{6,11}\s?[-–]\s?[\dkK]$/
const TELEPHONE = /^\+?[\d\s().-]{8,20}$/
/** An id with a usual word and a short number, such as `order-1001`, which identifies no person. */
const SHORT_ID = /^(?:(?:[a-z]{1,2}|order|orden|pedido|sale|venta|trx|loan|ref|evt)[-_.:]?)?\d{1,6}$/i
/** A number with at most this many digits is kept, because national ids, telephones and account numbers are longer. */
const FEW_DIGITS = 6
/** An amount with more digits than this is replaced, because an account or a telephone may be in the wrong field. */
const MOST_DIGITS = 8
/** A longer text is left out, even if the user wants to keep its field. */
const LONGEST = 4096

/**
 * Returns the text of a field as it is recorded. Secrets are removed, and personal data is replaced. Known codes, numbers, dates and ids are
 * kept. Every other text is left out, unless the user keeps its field.
 * @param name the name of the field
 * @param place the name under which the recording lists the field if its value is left out, such as `data.resultado`
 */
export function sanitiseText(text: string, name: string, place: string, s: Sanitising): string {
  if (text === '' || text === SECRET_MARK) return text
  const kind = kindOfField(name)
  if (kind === 'secret' || s.secrets.mark(text) === SECRET_MARK) return SECRET_MARK
  const known = byKind(text, kind, s)
  if (known !== undefined) return known
  if (s.keeps(place) && isPlain(text, s)) return text
  const formed = byForm(text, s)
  if (formed === undefined || (formed !== text && /^-?\d+$/.test(text))) s.leftOut(place)
  return formed ?? sizeMark(text.length)
}

function byKind(text: string, kind: FieldKind, s: Sanitising): string | undefined {
  const { standIns, now, url } = s
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
      return sanitiseId(text, s)
    case 'person':
      if (text.includes('@')) return standIns.email(text)
      if (looksLikeUuid(text)) return text
      return /\d/.test(text) ? standIns.opaque(text) : standIns.words(text)
    case 'code':
      return isKnownCode(text, s) ? text : undefined
    case 'url':
      return url(text)
    case 'number':
      return /^-?\d{1,12}(?:[.,]\d{1,12})?$/.test(text) ? sanitiseAmount(text, standIns) : undefined
    case 'moment':
      return isStamp(text, now) ? text : undefined
    case 'flag':
    case 'unknown':
      return undefined
  }
}

/** Returns an id that can be a word, a UUID, or a short word with a short number. Any other id is replaced, always by the same one. */
export function sanitiseId(text: string, { standIns, names }: Sanitising): string {
  const isKept = isServiceWord(text) || looksLikeUuid(text) || (SHORT_ID.test(text) && !names.inside(text))
  return isKept ? text : standIns.opaque(text)
}

/** A code of the contract or of the described service, or an error code that contains no name and no long number. */
const isKnownCode = (text: string, { isCode, names }: Sanitising): boolean =>
  isServiceWord(text) ||
  isCode(text) ||
  (/^(?:ERR_[A-Z][A-Z0-9_]{2,80}|[A-Z][A-Z0-9_]{2,80}_ERROR)$/.test(text) && !/\d{5}/.test(text) && !names.inside(text))

/** Whether a text that the user wants to keep has no sign of a secret, a person or an encoding. */
const isPlain = (text: string, { secrets, names }: Sanitising): boolean =>
  text.length <= LONGEST &&
  text.normalize('NFKC') === text &&
  /^[\p{L}\p{N}\p{Zs}.,;:!?¡¿()'’"+/_-]*$/u.test(text) &&
  secrets.mark(text) === text &&
  maskWords(text, LONGEST) === text &&
  // A long number, a date and a long word may be personal data, or a text in another spelling.
  !/\p{N}(?:[\s.\p{Pd}/]{0,3}\p{N}){6}|[^\s]{25}/u.test(text) &&
  !names.inside(text)

function byForm(text: string, s: Sanitising): string | undefined {
  const { standIns, now, url } = s
  if (isKnownCode(text, s)) return text
  if (/^(true|false|null)$/i.test(text)) return text
  if (looksLikeUuid(text)) return text
  const year = (MOMENT.exec(text) ?? COMPACT_MOMENT.exec(text) ?? HTTP_DATE.exec(text))?.[1]
  if (year !== undefined) return isBusinessYear(Number(year), now) ? text : standIns.date(text)
  if (OTHER_DATE.test(text)) return isBusinessYear(Number(text.slice(-4)), now) ? text : standIns.date(text)
  if (/^-?\d+$/.test(text)) return sanitiseDigits(text, standIns)
  if (isCoordinate(text)) return undefined
  if (/^-?\d{1,6}[.,]\d{1,18}$/.test(text)) return text
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return url(text)
  if (looksLikeEmail(text)) return standIns.email(text)
  if (RUT.test(text)) return standIns.rut(text)
  return TELEPHONE.test(text) ? standIns.digits(text) : undefined
}

/** Whether the last character of a RUT (without dots and dash) is its check digit. */
const isValidRut = (text: string): boolean => rutCheckCharacter(text.slice(0, -1)) === text.slice(-1).toUpperCase()

/** Replaces a number of unknown meaning if it has more than `FEW_DIGITS` digits, because it may identify a person. */
export function sanitiseDigits(text: string, standIns: StandIns): string {
  const digits = text.replace('-', '')
  if (digits.length <= FEW_DIGITS) return text
  const made = /^\d{8,9}$/.test(text) && isValidRut(text) ? standIns.rut(text) : standIns.digits(digits)
  return text.startsWith('-') ? `-${made}` : made
}

/** Keeps a number that can be an amount. A valid RUT and a long number are replaced. */
export function sanitiseAmount(text: string, standIns: StandIns): string {
  const [whole = ''] = text.replace('-', '').split(/[.,]/)
  const isAmount = whole.length <= MOST_DIGITS && !(whole.length === MOST_DIGITS && isValidRut(whole))
  return isAmount ? text : sanitiseDigits(whole, standIns)
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

/** Returns a mark that shows only the approximate size of a text: `(text-32)` means 17 to 32 characters. */
export const sizeMark = (length: number): string => `(text-${2 ** Math.ceil(Math.log2(Math.max(length, 1)))})`

/** Whether a text is a mark that replaced another text. */
export const isMark = (text: string): boolean => text === SECRET_MARK || /^\(text-\d+\)$/.test(text)

const FIELD_NAME = /^[\p{L}_$][\p{L}\d_$.:[\]-]{0,63}$/u

/** Returns the name of a field. A name that may be a secret, a person's name or an encoded text is left out. */
export function sanitiseName(name: string, { secrets, names }: Sanitising): string {
  if (isServiceWord(name)) return name
  const isKept = FIELD_NAME.test(name) && isSpeaking(name) && secrets.mark(name) === name && !names.within(name)
  return isKept ? name : sizeMark(name.length)
}

/** Whether a name consists of words, as a programmer writes them, and not of random or encoded characters. */
export function isSpeaking(name: string): boolean {
  if ((name.match(/\p{N}/gu)?.length ?? 0) > 4 || name.split(/[^\p{L}\d]+/u).some((word) => word.length > 40))
    return false
  const changes = name.match(/\p{Ll}(?=\p{Lu})|\p{L}(?=\d)|\d(?=\p{L})/gu)?.length ?? 0
  if (changes > Math.max(2, name.length / 5)) return false
  const parts = name.split(/[^A-Za-z\d]+/).filter((part) => !/^[A-Z]?[a-z]*$/.test(part))
  return ![...parts, ...(parts.length > 0 ? [name] : [])].some(
    (part) => part.length >= 8 && isText(Buffer.from(part, 'base64url')),
  )
}

const isText = (bytes: Buffer): boolean => /^[\x20-\x7e\u00a0-\ufffc]+$/.test(bytes.toString('utf8'))
