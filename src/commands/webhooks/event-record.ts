import { isConfirmed, questionOf } from '../../domain/envelope.ts'
import type { StoredEvent } from '../../receiver/inbox.ts'
import { parseJsonText } from '../../text/json-text.ts'
import { toJson } from '../../text/visible.ts'

interface EventRecord {
  eventId: string | null
  event: string | null
  destination: string
  scheme: string
  /** True if the body is signed, or if the service confirmed the event. A token alone does not prove who wrote the body. */
  confirmed: boolean
  receivedAt: string
  data: unknown
}

/** Returns a stored event in the form in which `listen` and `events` print it as JSON. */
export const eventRecord = (stored: StoredEvent): EventRecord => ({ ...headOf(stored), data: dataOf(stored) })

const headOf = (stored: StoredEvent): Omit<EventRecord, 'data'> => ({
  eventId: stored.eventId,
  event: stored.event,
  destination: stored.destination,
  scheme: stored.scheme,
  confirmed: isConfirmed(stored),
  receivedAt: timeText(stored.receivedAt),
})

let written = { at: Number.NaN, text: '' }

/** Returns a time as ISO 8601. The last text is kept, because events in a row often have the same time. */
function timeText(at: number): string {
  if (at !== written.at) written = { at, text: new Date(at).toISOString() }
  return written.text
}

/** Returns the record of an event as one line of JSON. */
export function eventLine(stored: StoredEvent): string {
  const { dataText } = stored
  if (dataText === undefined) return `${toJson(eventRecord(stored))}\n`
  return `${toJson(headOf(stored)).slice(0, -1)},"data":${dataText}}\n`
}

/** Returns the id of the transaction or of the lead that an event is about; undefined if the event does not contain the id. */
export function subjectOf({ event, body }: Pick<StoredEvent, 'event' | 'body'>): string | undefined {
  const question = questionOf(event, dataOf({ body }))
  if (question === undefined || question.read === 'evaluationByRut') return undefined
  return question.read === 'verifyLoan' ? question.params.externalTrxId : question.params.leadId
}

/** Returns the field `data` of an event’s body, with every digit of its numbers; undefined if the body has no such field. */
export function dataOf({ body }: Pick<StoredEvent, 'body'>): unknown {
  const parsed = parseJsonText(body)
  return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && 'data' in parsed.value
    ? parsed.value.data
    : undefined
}
