import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { isDatabaseAt } from '../../disk/database-place.ts'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import { makeFile, makePrivateFolder, type Notice } from '../../disk/private.ts'
import { sqliteFailure } from '../../disk/sqlite.ts'
import { replaceBy } from '../../text/shell-word.ts'
import { type EventQuery, eventKey, type Inbox, OWN_DESTINATION, ownDestinationOf, type StoredEvent } from '../inbox.ts'
import { claimInbox, type InboxClaim } from './inbox-claim.ts'
import { type InboxFile, openInboxFile, refuseDamaged, USUAL_BYTES } from './inbox-file.ts'
import { IS_WAITING } from './schema.ts'

export interface FileInbox extends Inbox {
  checkpoint(): Promise<void>
  /**
   * Creates the lock file again if it was removed.
   * @throws `config` when another receiver has claimed the inbox
   */
  keepClaim(): Promise<void>
  /** Copies the inbox into a new file in the state directory, even if the inbox's own file was removed. Returns the path of the copy. */
  save(): Promise<string>
}

/**
 * Opens the inbox as a SQLite file, `inbox.db` in the state directory. When `commit` returns, the events are on the disk.
 * @param notice called after a repair, and when the reserve file is removed because the disk is full
 */
export async function openInbox(stateDir: string, notice: Notice = () => {}): Promise<FileInbox> {
  const { db, path, writer, reserve, guarded, stored } = await openInboxFile(stateDir, 'FULL', notice)
  let claim: InboxClaim | undefined
  return {
    ...createFileReader(db, guarded),
    ...unshared,
    async claim(owner) {
      claim = await claimInbox(stateDir, owner, notice)
      guarded(() => refuseDamaged(db, path))
      // The notes name destinations that the receiver of the original still uses.
      if (claim.isCopy) guarded(writer.forgetOwnDestinations)
      reserve.check(notice)
      if (!reserve.restore())
        notice('the disk is nearly full, so there is no room for the inbox’s reserve of 4 MiB. Make room now')
      for (const saved of savedInboxes(stateDir)) notice(stillSaved(saved, path))
      stored(() => writer.probe(USUAL_BYTES))
    },
    async keepClaim() {
      await claim?.keep()
    },
    save: async () => saveInbox(db, stateDir, new Date().toISOString()),
    commit: async (batch) => stored(() => writer.commit(batch)),
    probe: async () => stored(() => writer.probe(0)),
    confirm: async (seq, confirmation) => guarded(() => writer.confirm(seq, confirmation)),
    prune: async (before) => guarded(() => writer.prune(before)),
    setOwnDestination: async (account, destination) =>
      guarded(() => {
        writer.setFact(ownDestinationOf(account), destination && JSON.stringify(destination))
        writer.setFact(OWN_DESTINATION, undefined)
      }),
    setLastListener: async (listener) => stored(() => writer.setFact('last_listener', JSON.stringify(listener))),
    checkpoint: async () => guarded(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    async close() {
      db.close()
      claim?.release()
    },
  }
}

const stillSaved = (saved: string, path: string) =>
  `${saved} contains the events of an inbox that was lost. If you do not need these events, remove the file. To replace the present inbox with it, stop the receiver, run this command, and start the receiver again: ${putBack(saved, path)}`

/** The parts of an inbox that matter only if several receivers share it. A file has only one receiver, which owns every destination. */
export const unshared: Pick<Inbox, 'shared' | 'watch' | 'take' | 'release' | 'holds'> = {
  shared: false,
  watch: () => {},
  take: async () => true,
  release: async () => {},
  holds: () => true,
}

/**
 * Copies an open inbox into a new file (mode 0600), and returns the path of the copy. The copy is complete even if the inbox's file was
 * removed, because the connection still has that file open. Without the copy, the end of the receiver would delete the acknowledged events.
 * @param at ISO 8601, part of the name
 * @throws when the inbox cannot be read or the copy cannot be written
 */
export function saveInbox(db: DatabaseSync, stateDir: string, at: string): string {
  makePrivateFolder(stateDir, () => {})
  const path = join(stateDir, KEPT_FILES.inboxSaved.name.replace('TIME', at.replaceAll(/[^0-9TZ]/g, '-')))
  makeFile(path)
  try {
    db.prepare('VACUUM INTO ?').run(path)
  } catch (error) {
    // An incomplete copy must never replace an inbox.
    for (const beside of ['', '-journal']) rmSync(path + beside, { force: true })
    throw sqliteFailure(path, error)
  }
  return path
}

/**
 * Returns the commands that replace the present inbox with a saved one. They also remove the present log, because SQLite would apply it to
 * the saved inbox.
 */
export function putBack(saved: string, path: string): string {
  return replaceBy(saved, path, [`${path}-wal`, `${path}-shm`])
}

/** Returns the saved inboxes in a folder, oldest first, without files that are not databases. */
export function savedInboxes(stateDir: string): string[] {
  const names = readdirSync(stateDir).filter((name) => name.endsWith('.db') && KEPT_FILES.inboxSaved.paths.test(name))
  return names
    .sort()
    .map((name) => join(stateDir, name))
    .filter(isDatabaseAt)
}

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
