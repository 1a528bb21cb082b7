import { isRecord } from '../text/json-text.ts'
import { type EventType, integrationOf, type VerificationScheme } from './integrations.ts'
import { NEW_LEAD_TIMEOUT_MS } from './time-limits.ts'

/** A call that can confirm an event. */
export type Question =
  | { read: 'verifyLoan'; params: { externalTrxId: string } }
  | { read: 'evaluationByLead' | 'getLead'; params: { leadId: string } }
  | { read: 'evaluationByRut'; params: { rut: string } }

interface EventFacts {
  /** The number of fields in `data` (specification: "Webhook events"). Its names are not shown (gap 11). */
  fields?: number
  /** The fields of `data` that no other event of the integration has. */
  own?: readonly string[]
  /** How long a receiver may take to answer, in ms (specification: "Limits"). Otherwise the description says it. */
  timeoutMs?: number
  /** Whether a delivery has only one attempt, and does not wait for other deliveries (specification: "Limits"). */
  isSentOnce?: boolean
  /** Returns the call that can confirm the event; undefined without an id for it. `id` returns an id in `data` as text. */
  question(id: (field: string) => string | undefined): Question | undefined
}

/** What is known of each event. Of a token destination, the event without fields of its own is the one to which any other `data` belongs. */
export const EVENTS: Readonly<Record<EventType, EventFacts>> = {
  loan_approved: {
    question(id) {
      const externalTrxId = id('externalTrxId')
      return externalTrxId ? { read: 'verifyLoan', params: { externalTrxId } } : undefined
    },
  },
  new_lead: {
    fields: 11,
    timeoutMs: NEW_LEAD_TIMEOUT_MS,
    isSentOnce: true,
    question(id) {
      const leadId = id('leadId')
      return leadId ? { read: 'getLead', params: { leadId } } : undefined
    },
  },
  pre_approve: {
    fields: 51,
    own: ['idPreAprobacion', 'urlInforme'],
    question(id) {
      const [leadId, rut] = [id('leadId'), id('rut')]
      if (leadId) return { read: 'evaluationByLead', params: { leadId } }
      return rut ? { read: 'evaluationByRut', params: { rut } } : undefined
    },
  },
}

/** Returns the event of a scheme with the fields that `has` says; the envelope does not contain it (gap 11). */
export function eventWith(scheme: VerificationScheme, has: (field: string) => boolean): EventType {
  const { events } = integrationOf(scheme)
  return events.find((event) => EVENTS[event].own?.some(has)) ?? events[0]
}

/** Returns the event that an envelope with this `data` contains. A field of its own counts only if it is not null. */
export const eventOf = (scheme: VerificationScheme, data: unknown): EventType =>
  eventWith(scheme, (name) => isRecord(data) && Object.hasOwn(data, name) && data[name] !== null)

/** Returns the call that can confirm an event; undefined when the event does not contain the id for the call. */
export function questionOf(event: string | null, data: unknown): Question | undefined {
  if (event === null || !isRecord(data) || !isEvent(event)) return undefined
  return EVENTS[event].question((name) => {
    const value = data[name]
    // The specification does not show the type of ids in events. If an id is a number, its digits are sent.
    if (Number.isSafeInteger(value) || JSON.isRawJSON(value)) return JSON.stringify(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  })
}

const isEvent = (name: string): name is EventType => Object.hasOwn(EVENTS, name)
