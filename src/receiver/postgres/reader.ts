import type { Pool } from 'pg'
import { eventKey } from '../event-key.ts'
import { type EventQuery, type Inbox, OWN_DESTINATION, ownDestinationOf, type StoredEvent } from '../inbox.ts'
import { SELECT_EVENTS, toEvent } from './rows.ts'

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
