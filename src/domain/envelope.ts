import { isAscii } from 'node:buffer'
import { duplicateField } from '../text/duplicate-field.ts'
import { parseJsonText } from '../text/json-text.ts'
import { isRawNumber } from '../text/raw-number.ts'

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
  const twice = duplicateField(parsed.text, ['eventId', 'data'])
  if (twice !== undefined)
    return { ok: false, reason: `it has the field ${twice} twice, and programs differ on which one counts` }
  return { ok: true, envelope: { eventId, data: value.data, dataText: dataTextOf(parsed.text, value, body) } }
}

/** Returns the text of `data` exactly as it was sent; undefined if the envelope is not `{"eventId":…,"data":…}` in one line of ASCII. */
function dataTextOf(text: string, envelope: Record<string, unknown>, body: Uint8Array): string | undefined {
  const start = `{"eventId":${JSON.stringify(envelope.eventId)},"data":`
  if (!text.startsWith(start) || !text.endsWith('}') || Object.keys(envelope).length !== 2) return undefined
  return isAscii(body) && !/[\n\r\u007f]/.test(text) ? text.slice(start.length, -1) : undefined
}

/**
 * Returns the kind of an event, which the envelope does not contain (gap 11). HMAC destinations receive loan_approved only. Of the two
 * events of a token destination, only pre_approve has the fields idPreAprobacion and urlInforme.
 */
export function eventOf(scheme: 'hmac' | 'token', data: unknown): 'loan_approved' | 'new_lead' | 'pre_approve' {
  if (scheme === 'hmac') return 'loan_approved'
  const present = (name: string) => isRecord(data) && Object.hasOwn(data, name) && data[name] !== null
  return present('idPreAprobacion') || present('urlInforme') ? 'pre_approve' : 'new_lead'
}

function asText(eventId: unknown): unknown {
  return Number.isSafeInteger(eventId) || isRawNumber(eventId) ? JSON.stringify(eventId) : eventId
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
