import { isAscii } from 'node:buffer'
import { parseJsonText } from './json-text.ts'
import { fieldThatStandsTwice } from './twice.ts'

/** The envelope of every delivery (specification, "Webhook events"): it names the event by id, not by type. */
export interface Envelope {
  /** The same in every retry of a delivery. */
  eventId: string
  data: unknown
  /** The text of `data` as it was sent, where it can be told at a glance: an envelope of nothing else, on one line, in plain ASCII. */
  dataText?: string | undefined
}

export type EnvelopeResult = { ok: true; envelope: Envelope } | { ok: false; reason: string }

const MAX_EVENT_ID = 512

/**
 * Reads a delivery's body. A body that is no envelope is a result, not an error: one that was verified is kept all the same.
 * A numeric `eventId` is taken as its digits.
 */
export function readEnvelope(body: Uint8Array): EnvelopeResult {
  const parsed = parseJsonText(body)
  if (!parsed.ok) return parsed
  const { value } = parsed
  if (!isRecord(value)) return { ok: false, reason: 'it is not an object' }
  const eventId = asText(value.eventId)
  if (typeof eventId !== 'string' || eventId === '') return { ok: false, reason: 'it has no eventId' }
  // Written out, all its broken halves are the same character, and so would be the events.
  if (!eventId.isWellFormed()) return { ok: false, reason: 'its eventId is not valid Unicode' }
  if (eventId.length > MAX_EVENT_ID)
    return { ok: false, reason: `its eventId is longer than ${MAX_EVENT_ID} characters` }
  if (!Object.hasOwn(value, 'data')) return { ok: false, reason: 'it has no data' }
  const twice = fieldThatStandsTwice(parsed.text, ['eventId', 'data'])
  if (twice !== undefined)
    return { ok: false, reason: `its ${twice} stands twice, and programs differ on which one counts` }
  return { ok: true, envelope: { eventId, data: value.data, dataText: dataTextOf(parsed.text, value, body) } }
}

/**
 * What stands between `{"eventId":…,"data":` and the last `}`. With two keys in that order, nothing but the data can stand there.
 * Text with what a terminal would obey, or with line ends, is not taken as it is.
 */
function dataTextOf(text: string, envelope: Record<string, unknown>, body: Uint8Array): string | undefined {
  const start = `{"eventId":${JSON.stringify(envelope.eventId)},"data":`
  if (!text.startsWith(start) || !text.endsWith('}') || Object.keys(envelope).length !== 2) return undefined
  return isAscii(body) && !/[\n\r\u007f]/.test(text) ? text.slice(start.length, -1) : undefined
}

/**
 * Which event this is. The envelope does not say (gap 11): an HMAC destination is subscribed to loan_approved alone, and of the
 * two events of a token destination only pre_approve carries idPreAprobacion and urlInforme.
 */
export function eventOf(scheme: 'hmac' | 'token', data: unknown): 'loan_approved' | 'new_lead' | 'pre_approve' {
  if (scheme === 'hmac') return 'loan_approved'
  const present = (name: string) => isRecord(data) && Object.hasOwn(data, name) && data[name] !== null
  return present('idPreAprobacion') || present('urlInforme') ? 'pre_approve' : 'new_lead'
}

/** A whole number, of any length, as its digits. */
function asText(eventId: unknown): unknown {
  return Number.isSafeInteger(eventId) || JSON.isRawJSON(eventId) ? JSON.stringify(eventId) : eventId
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
