import { eventOf, readEnvelope } from '../../domain/envelope.ts'
import { rawNumbersAsText } from '../../text/json-text.ts'
import { requireRawBytes, schemeOf, type VerificationOptions } from './verification.ts'

/** The fields of an event. A whole number that JavaScript cannot hold exactly, such as an id of 19 digits, is text with the digits that were sent. */
export type EventData = Readonly<Record<string, unknown>>

interface Received<Name extends string> {
  /** The type of the event. The envelope does not contain it, so it is derived from the scheme and the fields. */
  event: Name
  /** The id of the event. It is the same in every delivery of the event, so that the event can be processed only once. */
  eventId: string
  /** The `data` of the envelope. The specification names few of its fields. */
  data: EventData
}

/** A loan was granted. Verify the loan (`verifyLoan`) before you send the goods, because the loan may have changed since the event. */
export type LoanApproved = Received<'loan_approved'>

/** A new lead, before any evaluation. The event is sent only once and must be answered within 3 s. */
export type NewLead = Received<'new_lead'>

/** The evaluation of a lead is finished. */
export interface PreApprove extends Received<'pre_approve'> {
  /** `idPreAprobacion`, with which the report can be downloaded at any time (`getInforme`). Undefined if it is missing. */
  preApproveId: string | undefined
  /** A signed link to the report. Keep it secret, because anyone who has the link can read the report without an API key. */
  urlInforme: string | undefined
}

/** Every event of the service (specification, "Webhook events"). */
export type WebhookEvent = LoanApproved | NewLead | PreApprove

/** An event, or the reason why a body is not an event. */
export type EventResult = { ok: true; event: WebhookEvent } | { ok: false; reason: string }

/**
 * Reads the body of a delivery. Does not verify the body, so verify the same bytes first. Throws `TypeError` if the body is not bytes,
 * or for an unknown scheme.
 * @param scheme the scheme of the destination, which limits the possible events
 */
export function readEvent(body: Uint8Array, scheme: VerificationOptions['scheme']): EventResult {
  requireRawBytes(body)
  const read = readEnvelope(body)
  if (!read.ok) return { ok: false, reason: read.reason }
  const { eventId } = read.envelope
  const data = rawNumbersAsText(read.envelope.data)
  if (!isRecord(data)) return { ok: false, reason: 'its data is not an object' }
  const event = eventOf(schemeOf(scheme), data)
  if (event !== 'pre_approve') return { ok: true, event: { event, eventId, data } }
  const { idPreAprobacion, urlInforme } = data
  return {
    ok: true,
    event: { event, eventId, data, preApproveId: text(idPreAprobacion), urlInforme: text(urlInforme) },
  }
}

/** Returns an id or an address as text, because the service may send an id as a number. */
const text = (value: unknown): string | undefined => {
  const is = Number.isSafeInteger(value) ? String(value) : value
  return typeof is === 'string' && is !== '' ? is : undefined
}

function isRecord(value: unknown): value is EventData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
