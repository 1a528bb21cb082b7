import { stat } from 'node:fs/promises'
import { changesAfter, latestChange, type WriteCause } from '../store/changes.ts'
import { listPartners, readSetting } from '../store/partners.ts'
import { readSnapshot } from '../store/snapshot.ts'
import { type Db, iso, type Store } from '../store/store.ts'
import type { ChangeRow, RequestRow } from '../store/tables.ts'
import type { Change, ChangedField, ShownCause } from './cause.ts'
import { Refusal } from './refusal.ts'
import { subjectOf } from './request-log.ts'
import type { Service } from './service.ts'

/** The moment at which a snapshot was saved, and what is needed to find what happened later. */
interface Moment {
  at: string
  id: string | undefined
  latest: ChangeRow | undefined
  accounts: ReadonlySet<string>
  requests: ReadonlySet<string>
}

/**
 * The snapshot that was last compared. It stays in memory, because the window asks again after every change. The stamp changes when the
 * file is replaced.
 */
const latest = new WeakMap<Store, { file: string; stamp: string; moment: Moment }>()

/** The maximum number of changes that are listed under one cause. A reset of a full sandbox causes many thousands of changes. */
const MOST = 100

/** A row of the table `changes` that is listed. */
type ListedRow = ChangeRow & { kind: Change['kind'] }

/** The rows of one change. A delivery and its attempts are one change. */
type ListedRows = [first: ListedRow, ...later: ListedRow[]]

/** A cause whose changes are described only when they are shown, because most changes are never shown. */
type FoundCause = Omit<ShownCause, 'changes' | 'more'> & { changes: ListedRows[] }

const isListed = (row: ChangeRow): row is ListedRow => row.kind !== 'snapshot'

/**
 * Returns what changed since a snapshot was saved, or was loaded again, grouped by cause, the latest first. A request that changed nothing
 * is a cause without changes.
 * Throws `StoreRefusal` when the file is missing or is not a snapshot, and a 422 `Refusal` when the file is a snapshot of another sandbox.
 * @param onlyChanges leaves out the requests that changed nothing
 */
export async function changesSince(
  { store }: Pick<Service, 'store'>,
  file: string,
  { offset, limit, onlyChanges }: { offset: number; limit: number; onlyChanges: boolean },
) {
  const moment = await momentOf(store, file)
  if (!listPartners(store.db).some(({ id }) => moment.accounts.has(id)))
    throw new Refusal(
      422,
      'ERR_SNAPSHOT_OF_ANOTHER_SANDBOX',
      `${file} contains the accounts of another sandbox, so it cannot be compared with the state of this sandbox`,
    )
  const causes = causesSince(store.db, moment)
  const listed = onlyChanges ? causes.filter(({ changes }) => changes.length > 0) : causes
  return {
    at: moment.at,
    requests: causes.filter(({ request }) => request !== null).length,
    changes: causes.reduce((sum, { changes }) => sum + changes.length, 0),
    total: listed.length,
    causes: listed.slice(offset, offset + limit).map(shown),
  }
}

async function momentOf(store: Store, file: string): Promise<Moment> {
  const found = await stat(file).catch(() => undefined)
  const stamp = found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`
  const known = latest.get(store)
  if (found !== undefined && known?.file === file && known.stamp === stamp) return known.moment
  const moment = await readSnapshot(file, (db): Moment => {
    const ahead = Number(readSetting(db, 'clockOffsetMs') ?? 0)
    return {
      // A snapshot that an older bnpl saved does not contain the time of saving. So the time of the last change of its file is used.
      at: readSetting(db, 'savedAt') ?? iso((found?.mtimeMs ?? 0) + ahead),
      id: readSetting(db, 'snapshotId'),
      latest: changeOf(db, latestChange(db)),
      accounts: new Set(listPartners(db).map(({ id }) => id)),
      requests: new Set(db.all<RequestRow>('select id from requests').map(({ id }) => id)),
    }
  })
  latest.set(store, { file, stamp, moment })
  return moment
}

const changeOf = (db: Db, id: number) => db.get<ChangeRow>('select * from changes where id = ?', id)

/** Returns the id of the last change before the moment, or before the moment's snapshot was loaded last. */
function lastBefore(db: Db, { at, id, latest }: Moment): number {
  const loaded = db.get<{ id: number | null }>(
    'select max(id) as id from changes where kind = ? and rowId = ?',
    'snapshot',
    id ?? '',
  )?.id
  if (loaded != null) return loaded
  const same = latest && changeOf(db, latest.id)
  const isOurs = latest === undefined || (same?.rowId === latest.rowId && same.cause === latest.cause)
  if (id !== undefined && isOurs) return latest?.id ?? 0
  // The snapshot is of an older bnpl, or of a copy of this sandbox, so only the time tells what came later.
  const older = `select max(id) as id from changes where json_extract(cause, '$.at') <= ?`
  return db.get<{ id: number | null }>(older, at)?.id ?? 0
}

function causesSince(db: Db, moment: Moment): FoundCause[] {
  const causes = new Map<string, FoundCause>()
  const logged = 'select id, at, partner, method, path, status, requestBody from requests where passed is null'
  for (const row of db.all<RequestRow>(logged)) if (!moment.requests.has(row.id)) causes.set(row.id, requestCause(row))
  const deliveries = new Map<string, ListedRows>()
  const parsed = new Map<string, WriteCause>()
  for (const row of changesAfter(db, lastBefore(db, moment))) {
    if (!isListed(row)) continue
    const { by, id, at, about } = parsed.get(row.cause) ?? (JSON.parse(row.cause) as WriteCause)
    parsed.set(row.cause, { by, id, at, about })
    // Later attempts belong to the change in which the delivery is new, and what another cause does with the delivery is another change.
    const key = by === 'delivery' || row.how === 'came' ? row.rowId : `${row.rowId} ${id}`
    const listed = row.kind === 'delivery' ? deliveries.get(key) : undefined
    if (listed !== undefined) {
      listed.push(row)
      continue
    }
    const first: FoundCause = {
      id,
      by,
      at,
      account: row.account,
      about: about ?? aboutOf(by, row),
      request: null,
      changes: [],
    }
    const cause = causes.get(id) ?? first
    causes.set(id, cause)
    if (at > cause.at) cause.at = at
    cause.account ??= by === 'state' ? null : row.account
    const change: ListedRows = [row]
    if (row.kind === 'delivery') deliveries.set(key, change)
    cause.changes.push(change)
  }
  return [...causes.values()].sort(latestFirst)
}

function requestCause(row: RequestRow): FoundCause {
  const { id, at, partner, method, path, status } = row
  const { endpoint, about } = subjectOf(row)
  return {
    id,
    by: 'request',
    at,
    account: partner,
    about,
    request: { id, method, path, status, endpoint },
    changes: [],
  }
}

/** The window shows a lead by its id, and everything else by what its change is about. */
function aboutOf(by: FoundCause['by'], { kind, rowId, about }: ChangeRow): string | null {
  if (by === 'state' || about === '') return null
  return kind === 'lead' ? rowId : about
}

function latestFirst(a: FoundCause, b: FoundCause): number {
  if (a.at === b.at) return a.id < b.id ? 1 : -1
  return (a.at ?? '') < (b.at ?? '') ? 1 : -1
}

const shown = (cause: FoundCause): ShownCause => ({
  ...cause,
  changes: cause.changes.slice(0, MOST).map(described),
  more: Math.max(0, cause.changes.length - MOST),
})

type Values = Readonly<Record<string, string | number | null>>

function described(rows: ListedRows): Change {
  const [{ kind, how, rowId, about, account }] = rows
  const [before, after]: [Record<string, Values[string]>, Record<string, Values[string]>] = [{}, {}]
  for (const row of rows) {
    for (const [name, value] of Object.entries(valuesOf(row.before))) if (!(name in before)) before[name] = value
    for (const [name, value] of Object.entries(valuesOf(row.after)))
      after[name] = name === 'answers' && after.answers != null ? `${after.answers}, ${value}` : value
  }
  const fields: ChangedField[] = [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .map((name) => ({
      name,
      before: how === 'came' ? null : (before[name] ?? null),
      after: how === 'went' ? null : (after[name] ?? null),
    }))
    .filter((field) => field.before !== field.after)
  return { kind, how, id: rowId, about, account, fields }
}

const valuesOf = (object: string | null): Values => (object === null ? {} : JSON.parse(object))
