import { contains } from './contains.ts'
import type { Harm } from './harm.ts'
import { fromJsonColumn } from './json-column.ts'
import type { Db, RequestRow } from './tables.ts'

/** How many requests are kept. */
export const KEPT_REQUESTS = 10_000

/** Keeps a request. @param prune also deletes the oldest beyond `KEPT_REQUESTS` */
export async function addRequest(db: Db, row: RequestRow, prune: boolean): Promise<void> {
  await db.insertInto('requests').values(row).execute()
  if (!prune) return
  const oldest = await db
    .selectFrom('requests')
    .select('id')
    .orderBy('id', 'desc')
    .offset(KEPT_REQUESTS)
    .limit(1)
    .executeTakeFirst()
  if (oldest) await db.deleteFrom('requests').where('id', '<=', oldest.id).execute()
}

/** A kept request with the fault that it met as data. */
type KeptRequest<Row extends Pick<RequestRow, 'fault'>> = Omit<Row, 'fault'> & { fault: Harm | null }

const withFault = <Row extends Pick<RequestRow, 'fault'>>(row: Row): KeptRequest<Row> => ({
  ...row,
  fault: row.fault === null ? null : fromJsonColumn(row.fault),
})

/** Selects requests: by a part of the path, and only those that failed. */
interface RequestFilter {
  path?: string | undefined
  failed?: boolean
}

/** Requests with what they sent but not what was answered, newest first. */
export async function listRequestHeads(db: Db, offset: number, limit: number, filter: RequestFilter) {
  const rows = await filtered(db, filter)
    .select(['id', 'at', 'partner', 'method', 'path', 'status', 'ms', 'fault', 'requestBody'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(withFault)
}

/** Counts the requests that a filter selects. */
export async function countRequests(db: Db, filter: RequestFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

function filtered(db: Db, { path, failed }: RequestFilter) {
  let query = db.selectFrom('requests')
  if (path !== undefined) query = query.where(contains('path', path))
  if (failed) query = query.where((where) => where.or([where('status', '>=', 400), where('status', '=', 0)]))
  return query
}

/** A request by its id; undefined when it is not kept any more. */
export async function findRequest(db: Db, id: string): Promise<KeptRequest<RequestRow> | undefined> {
  const row = await db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst()
  return row && withFault(row)
}

/** Requests with their bodies, newest first. */
export async function listRequests(db: Db, limit: number): Promise<KeptRequest<RequestRow>[]> {
  const rows = await db.selectFrom('requests').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map(withFault)
}
