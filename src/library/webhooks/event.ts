import { eventOf, readEnvelope } from '../../domain/envelope.ts'

/** The fields of an event. A whole number that a double cannot hold keeps its digits: `JSON.stringify` writes it as it came. */
export type EventData = Readonly<Record<string, unknown>>

interface Received<Name extends string> {
  /** What happened. The envelope does not say it: it is told from the scheme and the fields. */
  event: Name
  /** The same in every delivery of one event: what was done for it is not done again. */
  eventId: string
  /** `data` of the envelope. The specification names few of its fields. */
  data: EventData
}

/** A loan was granted. Verify it (`verifyLoan`) before goods leave: the event may be late, or come twice. */
export type LoanApproved = Received<'loan_approved'>

/** A lead entered the funnel, before any evaluation. It is sent once and has to be answered within 3 s. */
export type NewLead = Received<'new_lead'>

/** The evaluation of a lead is finished. */
export interface PreApprove extends Received<'pre_approve'> {
  /** `idPreAprobacion`, by which the report is had at any time (`getInforme`); undefined where it is missing. */
  preApproveId: string | undefined
  /** A signed link to the report, opened without the key. It is a secret: whoever has it reads the report. */
  urlInforme: string | undefined
}

/** Every event of the service (specification, "Webhook events"). */
export type WebhookEvent = LoanApproved | NewLead | PreApprove

/** An event, or why a body is none. */
export type EventResult = { ok: true; event: WebhookEvent } | { ok: false; reason: string }

/**
 * Reads the body of a delivery. It does not verify it: that is done on the same bytes, before.
 * @param scheme of the destination: which events it can be
 */
export function readEvent(body: Uint8Array, scheme: 'hmac' | 'token'): EventResult {
  const read = readEnvelope(body)
  if (!read.ok) return { ok: false, reason: read.reason }
  const { eventId, data } = read.envelope
  if (!isRecord(data)) return { ok: false, reason: 'its data is not an object' }
  const event = eventOf(scheme, data)
  if (event !== 'pre_approve') return { ok: true, event: { event, eventId, data } }
  const { idPreAprobacion, urlInforme } = data
  return {
    ok: true,
    event: { event, eventId, data, preApproveId: text(idPreAprobacion), urlInforme: text(urlInforme) },
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function isRecord(value: unknown): value is EventData {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
}
