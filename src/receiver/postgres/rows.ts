import { readEnvelope } from '../../domain/envelope.ts'
import { parseJsonText } from '../../text/json-text.ts'
import type { ForwardState, StoredEvent } from '../inbox.ts'

/** The beginning of every query that reads events. The driver returns 64-bit numbers, such as `seq`, as text. */
export const SELECT_EVENTS = `SELECT e.seq, e.place, e.fate, e.scheme, e.event_id, e.event, e.odd, e.variant_of, e.body, e.content_type,
  e.signature, e.received_at, d.name AS destination, f.state, f.attempts, f.status, f.error, f.answer, f.ms,
  c.agrees, c.differences, c.at AS confirmed_at
  FROM bnpl_inbox.events e JOIN bnpl_inbox.destinations d ON d.id = e.destination
  LEFT JOIN bnpl_inbox.forwards f ON f.seq = e.seq LEFT JOIN bnpl_inbox.confirmations c ON c.seq = e.seq`

interface Row {
  seq: string
  place: string
  fate: StoredEvent['fate']
  destination: string
  scheme: StoredEvent['scheme']
  event_id: string | null
  event: StoredEvent['event']
  odd: string | null
  variant_of: string | null
  body: Buffer
  content_type: string | null
  signature: string | null
  received_at: string
  /** Null for an event that is never forwarded. Then `attempts`, `status`, `error`, `answer` and `ms` have no meaning. */
  state: ForwardState | null
  attempts: number
  status: number | null
  error: string | null
  answer: string | null
  ms: number | null
  /** Null for an event that the service was not asked about. Then `differences` and `confirmed_at` have no meaning. */
  agrees: boolean | null
  differences: string
  confirmed_at: string
}

/** Converts a row of the database into an event. */
export function toEvent(row: Row): StoredEvent {
  const { state, attempts, status, error, answer, ms } = row
  return {
    seq: Number(row.seq),
    place: Number(row.place),
    fate: row.fate,
    variantOf: row.variant_of === null ? null : Number(row.variant_of),
    destination: row.destination,
    scheme: row.scheme,
    eventId: row.event_id ?? (row.odd === null ? idIn(row.body) : null),
    event: row.event,
    odd: row.odd,
    body: row.body,
    contentType: row.content_type,
    signature: row.signature,
    receivedAt: Number(row.received_at),
    confirmation:
      row.agrees === null
        ? null
        : { agrees: row.agrees, differences: namesIn(row.differences), at: Number(row.confirmed_at) },
    forwarding: state === null ? null : { state, attempts, status, error, answer, ms },
  }
}

/** Returns the names in a stored JSON list; an empty list for a text that this program did not write. */
function namesIn(text: string): string[] {
  const parsed = parseJsonText(Buffer.from(text))
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value.map(String) : []
}

/**
 * Returns the id, or null if it contains a NUL character, which PostgreSQL cannot store. For such an event, the id is read from the stored
 * body.
 */
export const keepableId = (eventId: string | null): string | null => (eventId?.includes('\0') ? null : eventId)

function idIn(body: Uint8Array): string | null {
  const read = readEnvelope(body)
  return read.ok ? read.envelope.eventId : null
}
