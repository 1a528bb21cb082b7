import { sql } from 'kysely'
import type { Harm } from '../service/faults.ts'
import type { Db, RequestRow } from './tables.ts'

/** Calls that are kept. */
export const KEPT_REQUESTS = 10_000

/** Keeps a call; now and then (`prune`) forgets the oldest beyond `KEPT_REQUESTS`. */
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

/** A call with the fault it met, as plain data. */
export type Call<Row extends Pick<RequestRow, 'fault'>> = Omit<Row, 'fault'> & { fault: Harm | null }

const asCall = <Row extends Pick<RequestRow, 'fault'>>(row: Row): Call<Row> => ({
  ...row,
  fault: row.fault === null ? null : (JSON.parse(row.fault) as Harm),
})

/** Which calls are meant: a part of the path, and only those that got no good answer. */
export interface RequestFilter {
  path?: string | undefined
  failed?: boolean
}

/** Calls without their bodies, newest first. */
export async function listRequestHeads(db: Db, offset: number, limit: number, filter: RequestFilter) {
  const rows = await filtered(db, filter)
    .select(['id', 'at', 'partner', 'method', 'path', 'status', 'ms', 'fault'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(asCall)
}

export async function countRequests(db: Db, filter: RequestFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((select) => select.fn.countAll().as('rows'))
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

function filtered(db: Db, { path, failed }: RequestFilter) {
  let query = db.selectFrom('requests')
  // Neither large and small letters nor what LIKE means by a character are the same in every database.
  const wanted = path?.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  if (wanted !== undefined) query = query.where(sql<boolean>`lower(path) like ${`%${wanted}%`} escape '\\'`)
  if (failed) query = query.where((where) => where.or([where('status', '>=', 400), where('status', '=', 0)]))
  return query
}

export async function findRequest(db: Db, id: string): Promise<Call<RequestRow> | undefined> {
  const row = await db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst()
  return row && asCall(row)
}

/** Newest first. */
export async function listRequests(db: Db, limit: number): Promise<Call<RequestRow>[]> {
  const rows = await db.selectFrom('requests').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map(asCall)
}
