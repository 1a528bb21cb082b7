import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type EventQuery, eventKey, type Inbox, OWN_DESTINATION, ownDestinationOf, type StoredEvent } from '../inbox.ts'
import type { InboxFile } from './inbox-file.ts'
import { IS_WAITING } from './schema.ts'

const SELECT = `SELECT e.seq, e.fate, e.scheme, e.event_id AS eventId, e.event, e.odd, e.variant_of AS variantOf, e.body,
  e.content_type AS contentType, e.signature, e.received_at AS receivedAt, e.forward, d.name AS destination,
  f.state, f.attempts, f.status, f.error, f.answer, f.ms, c.agrees, c.differences, c.at AS confirmedAt
  FROM events e JOIN destinations d ON d.id = e.destination LEFT JOIN forwards f ON f.seq = e.seq
  LEFT JOIN confirmations c ON c.seq = e.seq`

type Reading = Pick<
  Inbox,
  | 'emittable'
  | 'emittedUpTo'
  | 'waitingDestinations'
  | 'waiting'
  | 'backlog'
  | 'find'
  | 'ownDestination'
  | 'lastListener'
>

/** Returns the functions that read from the inbox. */
export function createFileReader(db: DatabaseSync, guarded: InboxFile['guarded']): Reading {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const read = (sql: string, values: SQLInputValue[]): Record<string, unknown>[] => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = db.prepare(sql)
      statements.set(sql, statement)
    }
    return statement.all(...values)
  }
  const all = (sql: string, ...values: SQLInputValue[]) => guarded(() => read(sql, values))
  const factOf = (name: string) => {
    const value = fact(all, name)
    return value === undefined ? undefined : JSON.parse(value)
  }
  const events = (where: string, ...values: SQLInputValue[]) => all(`${SELECT} ${where}`, ...values).map(toEvent)
  return {
    emittable: async (seq, limit) => events(`WHERE e.seq > ? AND e.fate = 'new' ORDER BY e.seq LIMIT ?`, seq, limit),
    emittedUpTo: async () => Number(fact(all, 'emitted_up_to') ?? 0),
    waitingDestinations: async () =>
      all(
        `SELECT d.name FROM destinations d WHERE EXISTS
         (SELECT 1 FROM events e WHERE e.destination = d.id AND e.seq > d.forwarded_up_to AND ${IS_WAITING})`,
      ).map(({ name }) => String(name)),
    waiting: async (destination, seq, limit) =>
      events(
        `WHERE ${IS_WAITING} AND e.destination = (SELECT id FROM destinations WHERE name = ?)
         AND e.seq > max(?, (SELECT forwarded_up_to FROM destinations WHERE name = ?)) ORDER BY e.seq LIMIT ?`,
        destination,
        seq,
        destination,
        limit,
      ),
    async backlog() {
      // Read only the index and one event of each destination, because bodies are large.
      const waiting = `FROM events e WHERE e.destination = d.id AND e.seq > d.forwarded_up_to AND ${IS_WAITING}`
      const [row] = all(
        `SELECT coalesce(sum((SELECT count(*) ${waiting})), 0) AS waiting, min(o.received_at) AS oldestAt
         FROM destinations d LEFT JOIN events o ON o.seq = (SELECT min(e.seq) ${waiting})`,
      )
      return { waiting: Number(row?.waiting), oldestAt: row?.oldestAt == null ? null : Number(row.oldestAt) }
    },
    find: async ({ eventId, ...query }) => {
      if (eventId === undefined) return events(...condition(query, []))
      // Search by key, because the events have no index on their ids.
      const seqs = all('SELECT id FROM destinations').flatMap(({ id }) =>
        all('SELECT seq FROM seen WHERE key = ?', eventKey(Number(id), eventId)).map(({ seq }) => Number(seq)),
      )
      return seqs.length === 0 ? [] : events(...condition(query, seqs))
    },
    ownDestination: async (account) => factOf(ownDestinationOf(account)) ?? factOf(OWN_DESTINATION),
    lastListener: async () => factOf('last_listener'),
  }
}

function fact(all: (sql: string, ...values: SQLInputValue[]) => Record<string, unknown>[], name: string) {
  const [row] = all('SELECT value FROM facts WHERE name = ?', name)
  return row === undefined ? undefined : String(row.value)
}

const STATES: Record<NonNullable<EventQuery['state']>, string> = {
  stored: `e.fate = 'new' AND e.forward = 0 AND f.state IS NULL`,
  quarantined: `e.fate = 'quarantined'`,
  variant: `e.fate = 'variant'`,
  waiting: `e.forward = 1 AND f.state IS NULL`,
  retrying: `f.state = 'retrying'`,
  delivered: `f.state = 'delivered'`,
  dead: `f.state = 'dead'`,
}

/** Returns the SQL condition of a query and its values. Given event numbers in `of`, finds only these events and their variants. */
function condition(
  { since, idPart, seq, state, unconfirmed, after, limit }: EventQuery,
  of: readonly number[],
): [string, ...SQLInputValue[]] {
  const parts: string[] = []
  const values: SQLInputValue[] = []
  if (since !== undefined) {
    // With each `+`, SQLite finds the first number with the index of times, and then reads by number and stops at the limit.
    parts.push('e.seq >= (SELECT min(+seq) FROM events WHERE received_at >= ?) AND +e.received_at >= ?')
    values.push(since, since)
  }
  if (of.length > 0) {
    const list = of.map(() => '?').join(', ')
    parts.push(`(e.seq IN (${list}) OR e.variant_of IN (${list}))`)
    values.push(...of, ...of)
  }
  if (idPart !== undefined) {
    const { head, tail } = idPart
    parts.push(
      `e.fate = 'new' AND substr(e.event_id, 1, length(?)) = ? AND (? = '' OR substr(e.event_id, -length(?)) = ?)`,
    )
    values.push(head, head, tail, tail, tail)
  }
  if (seq !== undefined) {
    parts.push('e.seq = ?')
    values.push(seq)
  }
  if (state !== undefined) parts.push(STATES[state])
  if (unconfirmed) parts.push(`e.scheme = 'token' AND e.fate = 'new' AND coalesce(c.agrees, 0) = 0`)
  if (after !== undefined) {
    parts.push('e.seq > ?')
    values.push(after)
  }
  const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`
  return [`${where} ORDER BY e.seq ${after === undefined ? 'DESC' : 'ASC'} LIMIT ?`, ...values, limit]
}

function toEvent(found: Record<string, unknown>): StoredEvent {
  const { forward, state, attempts, status, error, answer, ms, agrees, differences, confirmedAt, ...row } = found
  const confirmation =
    agrees === null ? null : { agrees: agrees === 1, differences: JSON.parse(String(differences)), at: confirmedAt }
  const forwarding =
    forward === 1 || state !== null
      ? {
          state: state ?? 'waiting',
          attempts: attempts ?? 0,
          status: status ?? null,
          error: error ?? null,
          answer: answer ?? null,
          ms: ms ?? null,
        }
      : null
  return { ...row, place: row.seq, confirmation, forwarding } as unknown as StoredEvent
}
