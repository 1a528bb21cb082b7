import { pruneChanges } from './changes.ts'
import type { FaultEffect } from './fault-effect.ts'
import { contains, type Db } from './store.ts'
import { fromJsonColumn, type PassedCall, type RequestRow, type Tables } from './tables.ts'

export const KEPT_REQUESTS = 10_000

/** Stores a request. With `prune`, deletes the oldest requests beyond `KEPT_REQUESTS`, and the oldest changes. */
export function addRequest(db: Db, row: RequestRow, prune: boolean): void {
  db.insert('requests', row)
  if (!prune) return
  pruneChanges(db)
  db.run('delete from requests where id <= (select id from requests order by id desc limit 1 offset ?)', KEPT_REQUESTS)
}

type Columns = Pick<RequestRow, 'fault' | 'passed'>

type KeptRequest<Row extends Columns> = Omit<Row, keyof Columns> & {
  fault: FaultEffect | null
  passed: PassedCall | null
}

const asData = <Row extends Columns>(row: Row): KeptRequest<Row> => ({
  ...row,
  fault: row.fault === null ? null : fromJsonColumn(row.fault),
  passed: row.passed === null ? null : fromJsonColumn(row.passed),
})

interface RequestFilter {
  /** A part of the path, or of a text that was sent or answered, such as an id. */
  search?: string | null | undefined
  failed?: boolean
}

const SELECTED = `from requests
  where (${['path', 'requestBody', 'responseBody'].map((column) => contains(`coalesce(${column}, '')`)).join(' or ')}
      or instr(path, :encoded) > 0)
    and (not :failed or status >= 400 or status = 0)`

const filtered = ({ search = null, failed = false }: RequestFilter) => ({
  part: search,
  // An id in a path is percent-encoded.
  encoded: search === null ? null : encodeURIComponent(search),
  failed: Number(failed),
})

type RequestHead = Omit<RequestRow, 'responseBody'>

/** Returns requests without their answers, newest first. */
export function listRequestHeads(
  db: Db,
  offset: number,
  limit: number,
  filter: RequestFilter,
): KeptRequest<RequestHead>[] {
  const columns = 'id, at, partner, method, path, status, ms, fault, passed, requestBody'
  const page = `select ${columns} ${SELECTED} order by id desc limit :limit offset :offset`
  return db.all<RequestHead>(page, { ...filtered(filter), limit, offset }).map(asData)
}

export function countRequests(db: Db, filter: RequestFilter): number {
  return db.get<{ rows: number }>(`select count(*) as rows ${SELECTED}`, filtered(filter))?.rows ?? 0
}

/** Returns a request by its id, or undefined when it is no longer stored. */
export function findRequest(db: Db, id: string): KeptRequest<RequestRow> | undefined {
  const row = db.get<RequestRow>('select * from requests where id = ?', id)
  return row && asData(row)
}

/** Returns the requests to the sandbox, with their bodies, newest first. */
export function listRequests(db: Db, limit: number): Omit<KeptRequest<RequestRow>, 'passed'>[] {
  return db
    .all<RequestRow>('select * from requests where passed is null order by id desc limit ?', limit)
    .map((row) => {
      const { passed: _, ...request } = asData(row)
      return request
    })
}

export interface RateLimit {
  /** After a pause, this many requests are accepted without waits between them. */
  burst: number
  perSecond: number
}

/** Microseconds in a millisecond. Times are in whole microseconds, so that rounding errors do not add up over many requests. */
const US = 1_000

interface Bucket {
  partnerId: string
  /** The name of a call, or `*` if all calls of the account are counted together. */
  name: string
}

/**
 * Counts a request. Returns 0 when the request is accepted, otherwise the ms until the next request would be accepted. If the clock was set
 * back, the count starts again.
 * @param now the sandbox's time in ms
 */
export function countRequest(
  db: Db,
  { partnerId, name }: Bucket,
  { burst, perSecond }: RateLimit,
  now: number,
): number {
  const id = `${partnerId} ${name}`
  const each = costOf(perSecond)
  const [full, empty] = [now * US, now * US + burst * each]
  const counted = db.run(
    `insert into rateLimits (id, fullAt) values (:id, :full + :each)
      on conflict (id) do update set fullAt =
        case when rateLimits.fullAt < :full or rateLimits.fullAt > :empty then :full else rateLimits.fullAt end + :each
      where rateLimits.fullAt <= :empty - :each or rateLimits.fullAt > :empty`,
    { id, full, empty, each },
  )
  if (counted === 1) return 0
  const kept = db.get<{ fullAt: number }>('select fullAt from rateLimits where id = ?', id)
  return Math.max(1, ((kept?.fullAt ?? full) - (empty - each)) / US)
}

/** Returns how many more requests a limit allows now, and after how many ms it allows all of them. @param now the sandbox's time in ms */
export function callsLeft(
  db: Db,
  { partnerId, name }: Bucket,
  { burst, perSecond }: RateLimit,
  now: number,
): { left: number; resetMs: number } {
  const kept = db.get<{ fullAt: number }>('select fullAt from rateLimits where id = ?', `${partnerId} ${name}`)
  const usedUs = Math.max(0, (kept?.fullAt ?? 0) - now * US)
  return { left: Math.max(0, burst - Math.ceil(usedUs / costOf(perSecond))), resetMs: usedUs / US }
}

/** Returns the limits that are partly or fully used, and how many more requests each limit allows. `now` is the sandbox's time in ms. */
export function usedBuckets(db: Db, { burst, perSecond }: RateLimit, now: number): (Bucket & { left: number })[] {
  const [full, each] = [now * US, costOf(perSecond)]
  return (
    db
      .all<Tables['rateLimits']>('select * from rateLimits where fullAt > ? order by id', full)
      // Leave out rows of an older bnpl, which name no endpoint, and rows that were written before the clock was set back.
      .filter(({ id, fullAt }) => id.includes(' ') && fullAt <= full + burst * each)
      .map(({ id, fullAt }) => {
        const [partnerId = '', name = ''] = id.split(' ')
        return { partnerId, name, left: Math.max(0, burst - Math.ceil((fullAt - full) / each)) }
      })
  )
}

const costOf = (perSecond: number) => Math.round((1_000 * US) / perSecond)
