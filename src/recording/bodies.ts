import { isUtf8 } from 'node:buffer'
import type { Unread } from '../contract/compare/exchange.ts'
import { parseJsonText } from '../text/json-text.ts'
import { queryPairs } from './addresses.ts'
import { kindOfField } from './field-kinds.ts'
import type { RecordedBody } from './lines.ts'
import {
  isCoordinate,
  isMark,
  isStamp,
  type Sanitising,
  sanitiseAmount,
  sanitiseDigits,
  sanitiseName,
  sanitiseText,
} from './values.ts'

const MAX_BYTES = 2 * 1024 * 1024

/** A body as it was sent, before secrets and personal data are replaced. */
export type ReadBody =
  | { json: unknown }
  | { form: { name: string; value: string }[] }
  | { text: string }
  | Extract<RecordedBody, { omitted: string }>

/** A body whose content is not recorded. */
export interface LargeBody {
  bytes: number
  /** Why the content is unknown; `too-large` if left out. */
  unread?: Unread
  /** The first bytes of the body, which show its kind. */
  beginning?: Uint8Array
}

/** Returns a body, read by its content type and its first characters; undefined if the body is empty. */
export function readMessageBody(body: Uint8Array | LargeBody | undefined, type: string): ReadBody | undefined {
  if (body === undefined) return undefined
  if (!(body instanceof Uint8Array))
    return { omitted: isPdf(body.beginning) ? 'pdf' : (body.unread ?? 'too-large'), bytes: body.bytes }
  const bytes = body.length
  if (bytes === 0) return undefined
  if (isPdf(body)) return { omitted: 'pdf', bytes }
  if (bytes > MAX_BYTES) return { omitted: 'too-large', bytes }
  if (!isUtf8(body)) return { omitted: 'binary', bytes }
  const text = Buffer.from(body.buffer, body.byteOffset, bytes).toString('utf8')
  if (/x-www-form-urlencoded/i.test(type) && !/^\s*[{[]/.test(text)) return formOf(text)
  const json = parseJsonText(body)
  if (json.ok) return { json: json.value }
  if (/json/i.test(type) || /^\s*[[{]/.test(text)) return { omitted: 'broken-json', bytes }
  if (/^[\w.[\]-]+=[^\s&<>]*(&[\w.[\]-]+=[^\s&<>]*)*$/.test(text)) return formOf(text)
  return { text }
}

const isPdf = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'

/** Returns the fields of a form. A `&` at its end, or two in a row, is no field. */
const formOf = (text: string): ReadBody => ({
  form: queryPairs(text)
    .filter(({ raw }) => raw !== '')
    .map(({ name, value }) => ({ name, value: value ?? '' })),
})

/**
 * Replaces secrets and personal data in a body.
 * @param place the prefix of the field names in the list of left-out fields
 */
export function sanitiseBody(body: ReadBody | undefined, place: string, s: Sanitising): RecordedBody | undefined {
  if (body === undefined || 'omitted' in body) return body
  if ('json' in body) return { json: sanitiseJson(body.json, '', place, s) }
  if ('form' in body)
    return {
      form: body.form.map(({ name, value }) => {
        const clean = sanitiseName(name, s)
        return [clean, sanitiseText(value, name, `${place}${clean}`, s)]
      }),
    }
  const text = sanitiseText(body.text, 'body', `${place}text`, { ...s, leftOut: () => {} })
  return isMark(text) ? { omitted: 'text', bytes: Buffer.byteLength(body.text) } : { text }
}

function sanitiseJson(value: unknown, name: string, place: string, s: Sanitising): unknown {
  if (typeof value === 'string') return sanitiseText(value, name, place, s)
  if (typeof value === 'number') return sanitiseNumber(value, name, place, s)
  if (typeof value !== 'object' || value === null) return value
  if (JSON.isRawJSON(value)) return JSON.rawJSON(sanitiseDigits(JSON.stringify(value), s.standIns))
  if (Array.isArray(value)) return value.map((item) => sanitiseJson(item, name, `${place}[]`, s))
  const made: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    const clean = sanitiseName(key, s)
    made.push([
      clean,
      sanitiseJson(item, key, place === '' || /[ :]$/.test(place) ? place + clean : `${place}.${clean}`, s),
    ])
  }
  return Object.fromEntries(made)
}

/** A long number of unknown meaning is replaced, because it may identify a person. */
function sanitiseNumber(value: number, name: string, place: string, s: Sanitising): unknown {
  const { standIns, now } = s
  const text = String(value)
  const kind = kindOfField(name)
  const isPerson = kind === 'secret' || kind === 'digits' || kind === 'birth' || kind === 'words' || kind === 'email'
  if (isPerson) return Number(standIns.digits(text.replace(/^-|e.*$/g, '')) || 0)
  if (!Number.isInteger(value)) {
    if (kind !== 'unknown' || !isCoordinate(text) || s.keeps(place)) return value
    s.leftOut(place)
    return Number(standIns.digits(text))
  }
  // JSON numbers cannot have a leading zero.
  const whole = (digits: string) => Number(digits.replace(/\D/g, '') || 0)
  switch (kind) {
    case 'rut':
      return whole(standIns.rut(text.replace('-', '')).replace(/k$/i, '0'))
    case 'moment':
      return isStamp(text, now) ? value : Number(sanitiseDigits(text, standIns))
    case 'number': {
      const kept = sanitiseAmount(text, standIns)
      return kept === text ? value : whole(kept)
    }
    default: {
      const kept = s.keeps(place) ? text : sanitiseDigits(text, standIns)
      if (kept === text) return value
      if (kind !== 'id') s.leftOut(place)
      return Number(kept)
    }
  }
}
