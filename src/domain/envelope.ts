import { isAscii } from 'node:buffer'
import { duplicateField, isRawNumber, isRecord, parseJsonText } from '../text/json-text.ts'
import { isDay, isSameDay, isSameMoment } from './dates.ts'

/** The body of every delivery (specification, "Webhook events"). It contains the id of the event, but not its kind. */
interface Envelope {
  /** The same in every retry of a delivery. */
  eventId: string
  data: unknown
  /** The text of `data` exactly as it was sent; undefined if the envelope is not `{"eventId":…,"data":…}` in one line of ASCII. */
  dataText?: string | undefined
}

export type EnvelopeResult = { ok: true; envelope: Envelope } | { ok: false; reason: string }

const MAX_EVENT_ID = 512

/**
 * Reads a delivery's body. Does not throw, because a verified body is stored even if it is not an envelope. A numeric `eventId` is read as
 * its digits.
 */
export function readEnvelope(body: Uint8Array): EnvelopeResult {
  const parsed = parseJsonText(body)
  if (!parsed.ok) return parsed
  const { value } = parsed
  if (!isRecord(value)) return { ok: false, reason: 'it is not an object' }
  const eventId = asText(value.eventId)
  if (typeof eventId !== 'string' || eventId === '') return { ok: false, reason: 'it has no eventId' }
  // All unpaired surrogates become the same character in UTF-8, so two events could get the same id.
  if (!eventId.isWellFormed()) return { ok: false, reason: 'its eventId is not valid Unicode' }
  if (eventId.length > MAX_EVENT_ID)
    return { ok: false, reason: `its eventId is longer than ${MAX_EVENT_ID} characters` }
  if (!Object.hasOwn(value, 'data')) return { ok: false, reason: 'it has no data' }
  const twice = mayRepeat(parsed.text) ? duplicateField(parsed.text, ['eventId', 'data']) : undefined
  if (twice !== undefined)
    return { ok: false, reason: `it has the field ${twice} twice, and programs differ on which one counts` }
  return { ok: true, envelope: { eventId, data: value.data, dataText: dataTextOf(parsed.text, value, body) } }
}

/**
 * Whether a text that has both names may have one of them twice. Without an escape in the text, a name is written as itself. Most texts end
 * here, because reading every key would be a tenth of the work for a delivery.
 */
const mayRepeat = (text: string): boolean =>
  text.includes('\\') || occursTwice(text, '"eventId"') || occursTwice(text, '"data"')

const occursTwice = (text: string, part: string): boolean => text.indexOf(part, text.indexOf(part) + 1) >= 0

/** Returns the text of `data` exactly as it was sent; undefined if the envelope is not `{"eventId":…,"data":…}` in one line of ASCII. */
function dataTextOf(text: string, envelope: Record<string, unknown>, body: Uint8Array): string | undefined {
  const start = `{"eventId":${JSON.stringify(envelope.eventId)},"data":`
  if (!text.startsWith(start) || !text.endsWith('}') || Object.keys(envelope).length !== 2) return undefined
  return isAscii(body) && !/[\n\r\u007f]/.test(text) ? text.slice(start.length, -1) : undefined
}

function asText(eventId: unknown): unknown {
  return Number.isSafeInteger(eventId) || isRawNumber(eventId) ? JSON.stringify(eventId) : eventId
}

export interface Confirmation {
  agrees: boolean
  /** Names of the fields that differ between the event and the service's answer. Also empty when the service does not know the loan or lead. */
  differences: readonly string[]
  /** Milliseconds since 1970. */
  at: number
}

/** Whether it is certain that the service sent an event: the event's body is signed, or an answer of the service confirmed the event. */
export const isConfirmed = (event: { scheme: 'hmac' | 'token'; confirmation: Confirmation | null }): boolean =>
  event.scheme === 'hmac' || event.confirmation?.agrees === true

/** Fields that may change after the event, because the link to the report is created again, or the state of the loan changes. */
const CHANGING = new Set(['urlInforme', 'state', 'estado'])

/**
 * Returns the names of fields with different values in an event and in the service's answer. Lists and objects are not compared. If one
 * side has a day and the other a moment, only the days (in UTC) are compared.
 */
export function differencesOf(event: unknown, read: unknown): string[] {
  if (!isRecord(event) || !isRecord(read)) return []
  return Object.keys(event).filter(
    (name) =>
      !CHANGING.has(name) &&
      isPlain(event[name]) &&
      isPlain(read[name]) &&
      !isSame(name, String(event[name]), String(read[name])),
  )
}

const isSame = (name: string, a: string, b: string): boolean =>
  a === b || (name === 'transferDate' || isDay(a) || isDay(b) ? isSameDay(a, b) : isSameMoment(a, b))

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
