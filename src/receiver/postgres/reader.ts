import type { Pool } from 'pg'
import { readEnvelope } from '../../domain/envelope.ts'
import { parseJsonText } from '../../text/json-text.ts'
import {
  type EventQuery,
  eventKey,
  type ForwardState,
  type Inbox,
  OWN_DESTINATION,
  ownDestinationOf,
  type StoredEvent,
} from '../inbox.ts'

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

export type DatabaseReader = Pick<
  Inbox,
  'waitingDestinations' | 'waiting' | 'backlog' | 'find' | 'ownDestination' | 'lastListener'
> & {
  emittable(receiver: number, place: number, limit: number): Promise<StoredEvent[]>
}

/** Returns the functions that read from the inbox. */
export function createDatabaseReader(pool: Pool): DatabaseReader {
  const all = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
  const events = async (where: string, values: unknown[]) =>
    (await all(`${SELECT_EVENTS} ${where}`, values)).map(toEvent)
  const factOf = async (name: string) => {
    const [row] = await all('SELECT value FROM bnpl_inbox.facts WHERE name = $1', [name])
    return row === undefined ? undefined : JSON.parse(row.value)
  }
  return {
    emittable: (receiver, place, limit) =>
      events(`WHERE e.receiver = $1 AND e.place > $2 AND e.fate = 'new' ORDER BY e.place LIMIT $3`, [
        receiver,
        place,
        limit,
      ]),
    waitingDestinations: async () =>
      (
        await all(
          `SELECT d.name FROM bnpl_inbox.destinations d WHERE EXISTS (SELECT FROM bnpl_inbox.forwards f
           WHERE f.destination = d.id AND f.state IN ('waiting', 'retrying'))`,
        )
      ).map(({ name }) => String(name)),
    // Select by state, because an event of another receiver may appear later with a lower number.
    waiting: (destination, _, limit) =>
      events(
        `WHERE f.state IN ('waiting', 'retrying') AND f.destination = (SELECT id FROM bnpl_inbox.destinations WHERE name = $1)
         ORDER BY f.seq LIMIT $2`,
        [destination, limit],
      ),
    async backlog() {
      const [row] = await all(
        `SELECT count(*)::integer AS waiting, (SELECT min(e.received_at) FROM bnpl_inbox.events e JOIN (SELECT seq FROM
           bnpl_inbox.forwards WHERE state IN ('waiting', 'retrying') ORDER BY seq LIMIT 100) first ON first.seq = e.seq) AS oldest
         FROM bnpl_inbox.forwards WHERE state IN ('waiting', 'retrying')`,
      )
      return { waiting: row?.waiting ?? 0, oldestAt: row?.oldest == null ? null : Number(row.oldest) }
    },
    async find({ eventId, ...query }) {
      if (eventId === undefined) return events(...condition(query, undefined))
      // Search by key, because the events have no index on their ids.
      const keys = (await all('SELECT id FROM bnpl_inbox.destinations')).map(({ id }) => eventKey(id, eventId))
      const seqs = await all('SELECT seq FROM bnpl_inbox.seen WHERE key = ANY ($1::text[])', [keys])
      return seqs.length === 0
        ? []
        : events(
            ...condition(
              query,
              seqs.map(({ seq }) => seq),
            ),
          )
    },
    ownDestination: async (account) => (await factOf(ownDestinationOf(account))) ?? (await factOf(OWN_DESTINATION)),
    lastListener: () => factOf('last_listener'),
  }
}

/** Replaces the NUL characters in a text. PostgreSQL cannot store them, and refuses queries that contain one. */
const keepable = (text: string) => text.replaceAll('\0', '\ufffd')

const STATES: Record<NonNullable<EventQuery['state']>, string> = {
  stored: `e.fate = 'new' AND f.state IS NULL`,
  quarantined: `e.fate = 'quarantined'`,
  variant: `e.fate = 'variant'`,
  waiting: `f.state = 'waiting'`,
  retrying: `f.state = 'retrying'`,
  delivered: `f.state = 'delivered'`,
  dead: `f.state = 'dead'`,
}

/** Returns the SQL condition of a query and its values. Given event numbers in `of`, finds only these events and their variants. */
function condition(
  { since, idPart, seq, state, unconfirmed, after, limit }: EventQuery,
  of: readonly string[] | undefined,
): [string, unknown[]] {
  const parts: string[] = []
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value)}`
  if (since !== undefined) parts.push(`e.received_at >= ${place(since)}`)
  if (of !== undefined) {
    const list = `ANY (${place(of)}::bigint[])`
    parts.push(`(e.seq = ${list} OR e.variant_of = ${list})`)
  }
  if (idPart !== undefined) {
    const [head, tail] = [place(keepable(idPart.head)), place(keepable(idPart.tail))]
    parts.push(
      `e.fate = 'new' AND left(e.event_id, length(${head}::text)) = ${head} AND right(e.event_id, length(${tail}::text)) = ${tail}`,
    )
  }
  if (seq !== undefined) parts.push(`e.seq = ${place(seq)}`)
  if (state !== undefined) parts.push(STATES[state])
  if (unconfirmed) parts.push(`e.scheme = 'token' AND e.fate = 'new' AND c.agrees IS NOT TRUE`)
  if (after !== undefined) parts.push(`e.seq > ${place(after)}`)
  const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`
  // Sort by the index that the condition uses. Any other order would read many events before the few that match.
  const newestFirst = since === undefined ? 'e.seq DESC' : 'e.received_at DESC, e.seq DESC'
  const order = after === undefined ? newestFirst : 'e.seq'
  return [`${where} ORDER BY ${order} LIMIT ${place(limit)}`, values]
}
